import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("A page that was opened before the dates were known")
    struct DateTurnTests {
        /// Pictures without dates, in several screens.
        private func withScans(
            _ body: (Browser, LookaheadProcess, TemporaryFolder) async throws -> Void
        ) async throws {
            let folder = try TemporaryFolder()
            for number in 0..<60 { try folder.write("pictures/scan \(100 + number).jpg", Picture.jpeg(60, 40)) }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until(
                    "probe.visible()[0]?.dataset.state === 'ready' && !document.getElementById('arrange-open').disabled",
                    "the page")
                #expect(try await browser.run("return location.search;") == "")
                try await body(browser, server, folder)
            }
        }

        /// So many that most of all have a date.
        private func addDated(_ folder: TemporaryFolder) throws {
            for month in 1...4 {
                for day in 10..<30 where month != 2 || day < 29 {
                    try folder.write("pictures/IMG_20190\(month)\(day)_120000.jpg", Picture.jpeg(60, 40))
                }
            }
        }

        private static let offer = "document.getElementById('offer')"

        @Test("it turns to newest first by itself while nobody has done anything")
        func turns() async throws {
            try await withScans { browser, _, folder in
                try addDated(folder)
                try await browser.until(
                    "location.search === '?sort=taken' && /^April 2019/.test(document.querySelector('#headers .header')?.textContent)",
                    "newest first")
                #expect(try await browser.run("return [\(Self.offer).hidden, probe.scroller.scrollTop];") == [true, 0])
            }
        }

        @Test("who has scrolled is offered it in a sentence, and turns by its button")
        func offers() async throws {
            try await withScans { browser, _, folder in
                try await browser.run("probe.scroller.scrollTop = 300;")
                try await browser.until("/item=/.test(location.search)", "a place further down")
                try addDated(folder)
                try await browser.until("\(Self.offer).checkVisibility()", "the offer")
                #expect(
                    try await browser.run(
                        "return [\(Self.offer).firstChild.textContent, /sort/.test(location.search)];")
                        == ["Most pictures have a date now.", false])
                try await browser.run("\(Self.offer).querySelector('[data-part=accept]').click();")
                try await browser.until("/sort=taken/.test(location.search) && \(Self.offer).hidden", "newest first")
            }
        }

        @Test("who has chosen the gallery's own order keeps it, and is not asked")
        func chosen() async throws {
            try await withScans { browser, _, folder in
                for order in ["name", "path"] {
                    try await browser.run(
                        """
                        const select = document.querySelector('#arrange [name=sort]');
                        select.value = '\(order)';
                        select.dispatchEvent(new Event('change'));
                        """)
                }
                try await browser.until("location.search === ''", "its own order")
                try addDated(folder)
                try await browser.until(
                    "document.getElementById('count').textContent.startsWith('139 ') && probe.visible()[0]?.dataset.state === 'ready'",
                    "all pictures")
                #expect(
                    try await browser.run("return [\(Self.offer).hidden, /taken/.test(location.search)];") == [
                        true, false,
                    ])
            }
        }
    }
}
