import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The start page and a menu lead to several galleries")
    struct Galleries {
        /// Serves two folders of the same name, and a list.
        private func serve(_ body: (LookaheadProcess) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            try folder.write("alps/pictures/May 2019/IMG_20180502_101112.jpg", Picture.jpeg(300, 200))
            try folder.write("alps/pictures/June 2021/IMG_20200611_101112.jpg", Picture.jpeg(300, 200))
            try folder.write("sea/pictures/1.jpg", Picture.jpeg(200, 300))
            try folder.write("wishes.txt", Array("https://pictures.example/1.jpg\n".utf8))
            let server = try await Demo([
                "serve", folder.path + "/alps/pictures", folder.path + "/sea/pictures", folder.path + "/wishes.txt",
            ])
            defer { server.stop() }
            // The server reads dates after the names.
            try await eventually("dates") {
                try await TestClient.exchange("GET", port: server.port, path: "/api/v1/galleries/pictures").text
                    .contains("\"taken\"")
            }
            try await body(server)
        }

        @Test(
            "each gallery has a card with its cover, name, count, kind and years, and a menu leads to the others",
            .inEveryBrowser)
        func start() async throws {
            try await serve { server in
                try await withBrowser { browser in
                    try await browser.open(server.address)
                    try await browser.until("document.querySelectorAll('#start .card').length === 3", "the cards")
                    let cards = try await browser.run(
                        "return [...document.querySelectorAll('.card')].map((card) => [card.querySelector('b').textContent, card.lastElementChild.textContent]);"
                    )
                    #expect(
                        cards == [
                            ["pictures", "2 pictures · Folder · 2018\u{2009}–\u{2009}2020"],
                            ["pictures (sea)", "1 picture · Folder"],
                            ["wishes", "1 picture · List"],
                        ])
                    #expect(
                        try await browser.run("return [document.title, document.getElementById('count').textContent];")
                            == ["Lookahead", "3 galleries"])
                    try await browser.until("document.querySelector('.card img')?.naturalWidth > 0", "a cover")
                    // No server responds at the address of the list's picture.
                    try await browser.until(
                        "document.querySelectorAll('.cover')[2].textContent === 'Can’t load pictures'", "the message")
                    let height = try await browser.run("return pageProbe.barHeight();")
                    try await browser.run("document.querySelectorAll('.card')[1].click();")
                    try await browser.until(
                        "document.title.startsWith('pictures (sea)') && document.querySelector('.cell[data-state=ready]')",
                        "the second gallery")
                    try await browser.until(
                        "document.getElementById('galleries-open').checkVisibility() && !document.getElementById('galleries-open').disabled",
                        "the switcher")
                    #expect(try await browser.run("return pageProbe.barHeight();") == height)
                    try await browser.run("document.getElementById('galleries-open').click();")
                    try await browser.until(
                        "document.querySelector('#galleries [aria-current]')?.firstChild.textContent === 'pictures (sea)'",
                        "the menu")
                    try await browser.run("document.querySelector('#galleries a').click();")
                    try await browser.until(
                        "document.getElementById('title').textContent === 'pictures' && document.querySelectorAll('.cell[data-state=ready]').length === 2",
                        "the first gallery")
                }
            }
        }

        @Test("the viewer shows the name of the file, and a download keeps it", .inEveryBrowser)
        func fileName() async throws {
            try await serve { server in
                try await withBrowser { browser in
                    try await browser.open(server.address + "?gallery=pictures&view=1")
                    try await browser.until(
                        "document.querySelector('#viewer .caption').textContent.split('IMG').length === 2 && document.querySelector('#viewer h2').textContent === 'IMG_20180502_101112.jpg'",
                        "the file's name")
                    #expect(
                        try await browser.run("return document.querySelector('#viewer [data-part=original]').download;")
                            == "IMG_20180502_101112.jpg")
                    let header = try await browser.wait(
                        "return (await fetch(document.querySelector('#viewer [data-part=original]').href)).headers.get('content-disposition');"
                    )
                    #expect(header == "attachment; filename*=UTF-8''IMG_20180502_101112.jpg")
                }
            }
        }

        @Test("a single gallery opens at once, without a menu", .inEveryBrowser)
        func one() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                #expect(
                    try await browser.run(
                        "return [document.getElementById('start').hidden, document.getElementById('galleries-open').hidden];"
                    ) == [true, true])
            }
        }
    }
}
