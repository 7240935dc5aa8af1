import JSON
import TestSupport
import Testing

extension PageTests.Races {
    @Test("where there are few pictures there is nothing to race, and the page says so")
    func fewPictures() async throws {
        let folder = try TemporaryFolder()
        try folder.write("pictures/1.jpg", Picture.jpeg(300, 200))
        let server = try await Demo(["serve", folder.path + "/pictures"])
        defer { server.stop() }
        try await withBrowser { browser in
            try await browser.open(server.address + "?race")
            try await browser.wait(
                Self.helpers
                    + "await probe.until(() => part('headline').textContent.includes('at least 100 pictures') && part('start').disabled, 'the word for it');"
            )
            try await browser.press(Key.escape)
            try await browser.until(
                "document.documentElement.dataset.connection === 'live' && document.querySelectorAll('.cell[data-state=\"ready\"]').length === 1",
                "the gallery")
            #expect(try await browser.run("return document.getElementById('race-open').disabled;") == true)
        }
    }

    @Test(
        "a folder and a list of remote pictures are raced, too, by sessions that begin cold",
        .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser, arguments: ["folder", "list"])
    func elsewhere(kind: String) async throws {
        let folder = try TemporaryFolder()
        for number in 1...120 {
            try folder.write("pictures/\(number).jpg", Picture.jpeg(300, 200, red: UInt8(number)))
        }
        let files = try await Demo(["serve", folder.path + "/pictures"])
        defer { files.stop() }
        let addresses = (0..<120).map {
            "http://127.0.0.1:\(files.port)/api/v1/galleries/pictures/items/\($0)/original\n"
        }
        let list = try folder.write("list.txt", Array(addresses.joined().utf8))
        let server = try await Demo(["serve", list, "--allow-origin", "127.0.0.1:\(files.port)"])
        defer { server.stop() }
        try await withBrowser { browser in
            try await browser.open((kind == "folder" ? files.address : server.address) + "?race")
            try await ready(browser)
            // The button of the bar is the demo's. The dashboard has one for all galleries.
            #expect(
                try await browser.run("return getComputedStyle(document.querySelector('[data-part=compare]')).display;")
                    != "none")
            #expect(
                try await browser.run("return getComputedStyle(document.getElementById('race-open')).display;")
                    == "none")
            try await browser.run(
                """
                window.asked = [];
                const { fetch } = window;
                window.fetch = (...given) => {
                  if (/"cold":true/.test(given[1]?.body)) asked.push(JSON.parse(given[1].body).policy);
                  return fetch(...given);
                };
                """)
            let terms = try await browser.run(
                Self.helpers + "return [part('terms').textContent, part('source').textContent];")
            let sharing = kind == "folder" ? "the same files" : "120\u{a0}MB each"
            #expect(terms.array?.first?.string?.contains(sharing) == true)
            #expect(terms.array?.last == .string(kind == "folder" ? "files" : "network"))
            try await browser.wait(Self.helpers + "await drop();")
            try await state("done", browser)
            let end = try await browser.run(
                Self.helpers
                    + """
                    return { asked, waste: panes.map((pane) => figure(pane, 'waste')), shown: panes.map((pane) => cells(pane).every((cell) => cell.dataset.state === 'ready')) };
                    """)
            #expect(end["asked"]?.array?.suffix(2) == ["collection-view", "lookahead"], "\(end)")
            #expect(end["shown"] == [true, true])
            #expect(end["waste"]?.array?.allSatisfy { $0.string?.first?.isNumber == true } == true, "\(end)")
            try await browser.press(Key.escape)
            try await browser.until("!document.getElementById('race').open", "the gallery back")
        }
    }
}
