import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Pages opened before dates are known")
    struct DateTurnTests {
        /// Serves several screens of pictures without dates.
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
                    "probe.visible()[0]?.dataset.state === 'ready' && headerProbe.canArrange()", "the page")
                #expect(try await browser.run("return location.search;") == "")
                try await body(browser, server, folder)
            }
        }

        /// Adds so many pictures with dates that most pictures have one.
        private func addDated(_ folder: TemporaryFolder) throws {
            for month in 1...4 {
                for day in 10..<30 where month != 2 || day < 29 {
                    try folder.write("pictures/IMG_20190\(month)\(day)_120000.jpg", Picture.jpeg(60, 40))
                }
            }
        }

        private static let offer = "document.getElementById('offer')"

        @Test("a page without input changes to newest first when most pictures have a date")
        func turns() async throws {
            try await withScans { browser, _, folder in
                try addDated(folder)
                try await browser.until(
                    "location.search === '?sort=taken' && /^April 2019/.test(document.querySelector('#headers .header')?.textContent)",
                    "newest first")
                #expect(try await browser.run("return [\(Self.offer).hidden, probe.scroller.scrollTop];") == [true, 0])
            }
        }

        @Test("a page that has scrolled offers newest first, and a button accepts the offer")
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

        @Test("a page keeps the gallery's own order without an offer if its viewer chose that order")
        func chosen() async throws {
            try await withScans { browser, _, folder in
                for order in ["name", "path"] {
                    try await browser.run("arrangeProbe.select('#arrange [name=sort]', '\(order)');")
                }
                try await browser.until("location.search === ''", "its own order")
                try addDated(folder)
                try await browser.until(
                    "headerProbe.count().startsWith('139 ') && probe.visible()[0]?.dataset.state === 'ready'",
                    "all pictures")
                #expect(
                    try await browser.run("return [\(Self.offer).hidden, /taken/.test(location.search)];") == [
                        true, false,
                    ])
            }
        }
    }
}
