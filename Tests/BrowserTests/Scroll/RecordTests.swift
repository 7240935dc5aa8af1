import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Recording and replaying")
    struct Recording {
        /// Catches what the page saves.
        private static let catcher = """
            window.saved = [];
            const { createObjectURL } = URL;
            URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return createObjectURL.call(URL, blob); };
            """

        /// Drops a file on the page.
        private static let drop = """
            const data = new DataTransfer();
            data.items.add(new File([args[0]], 'scroll.ndjson'));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
            """

        @Test("a recorded scroll is a trace that replay reads; dropped on the page it is played")
        func record() async throws {
            try await withPage(path: "?dashboard") { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run(Self.catcher + "document.getElementById('record').click();")
                try await browser.wheel(by: 500, turns: 8)
                try await browser.until("probe.items()[0] > 20 && probe.filled()", "after the wheel")
                // The scroll has come to rest once the address says where.
                try await browser.until("new URLSearchParams(location.search).has('item')", "rest")
                try await browser.run("document.getElementById('record').click();")
                try await browser.until("saved.length === 1", "a file")
                let text = try await browser.run("return saved[0];").string ?? ""
                let there = try await browser.run("return probe.items();")

                let folder = try TemporaryFolder()
                let file = try folder.write("scroll.ndjson", Array(text.utf8))
                let replay = try Child(Demo.executable, ["replay", file, "--format", "json"])
                let output = await replay.output()
                #expect(replay.wait() == 0, "\(replay.standardError())")
                let results = try JSON.parse(Array(output.utf8))["results"]?.array ?? []
                let ours = try #require(results.first { $0["policy"] == "lookahead" })
                #expect((ours["requests"]?.integer ?? 0) > 20, "nothing was replayed: \(output)")

                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "elsewhere")
                try await browser.run(
                    Self.drop.replacingOccurrences(of: "args[0]", with: "arguments[0]"), [.string(text)])
                try await browser.wait(
                    "await probe.until(() => JSON.stringify(probe.items()) === args[0] && probe.filled(), 'the end of the scroll');",
                    [.string(String(decoding: there.bytes, as: UTF8.self))])
            }
        }

        @Test(
            "while a trace plays, a bar says how far it is and stops it; recording shows its time",
            .inEveryBrowser)
        func feedback() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("probe.filled()", "first pictures")
                // The code behind the button may still be on its way.
                try await browser.until(
                    "document.getElementById('record').ariaPressed === 'true' || document.getElementById('record').click()",
                    "a recording")
                try await browser.until(
                    "/^Stop and save · 0:(?!00)\\d\\d$/.test(document.getElementById('record').textContent)",
                    "the time of the recording")
                #expect(
                    try await browser.run("return document.getElementById('note').textContent;")
                        == "Recording")
                try await browser.run("document.getElementById('record').click();")
                try await browser.until(
                    "document.getElementById('note').checkVisibility() && document.getElementById('note').textContent === 'Recording saved'",
                    "the word for it")
                let drag = """
                    const samples = Array.from({ length: 900 }, (_, i) => ({ t: i * 16, y: i * 8, phase: 'wheel' }));
                    const header = { version: 1, itemCount: 20000, viewport: { width: 600, height: 600 }, layout: { kind: 'masonry' } };
                    const data = new DataTransfer();
                    data.items.add(new File([[header, ...samples].map((line) => JSON.stringify(line)).join('\\n')], 'scroll.ndjson'));
                    const drag = (type) => document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
                    """
                try await browser.run(drag + "drag('dragover');")
                try await browser.until("document.getElementById('drop').checkVisibility()", "where to drop it")
                try await browser.run(drag + "drag('drop');")
                let bar = "document.getElementById('playing')"
                try await browser.until("\(bar).checkVisibility() && \(bar).textContent.includes('of 0:14')", "the bar")
                try await browser.until("probe.scroller.scrollTop > 300", "the scroll")
                try await browser.run("\(bar).querySelector('button').click();")
                let place = try await browser.run("return [\(bar).hidden, probe.scroller.scrollTop];")
                try await browser.wait("await probe.calm();")
                #expect(
                    try await browser.run("return [\(bar).hidden, probe.scroller.scrollTop];") == place
                        && place.array?.first == true)
            }
        }

        @Test("the last minute is always at hand, recording or not, whatever becomes of the session")
        func lastMinute() async throws {
            try await withPage(path: "?dashboard") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wheel(by: 200, turns: 10)
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "after the wheel")
                try await browser.run(Self.catcher)
                let session = try await browser.session()
                try await demo.call("DELETE", "sessions/\(session)")
                try await browser.run("document.getElementById('save').click();")
                try await browser.until("saved.length === 1", "a file")
                let lines = try (try await browser.run("return saved[0];").string ?? "").split(separator: "\n")
                    .map { try JSON.parse(Array($0.utf8)) }
                #expect(lines[0]["version"] == 1)
                #expect(lines[0]["itemCount"] == 20_000)
                let times = lines.dropFirst().compactMap { $0["t"]?.number }
                // Where it began, something of the way, where it ended: turns of one frame are one sample.
                #expect(times.count > 2 && times[0] == 0 && times == times.sorted(), "\(times)")
                #expect((times.last ?? 1e9) <= 61_000)
                let tops = lines.dropFirst().compactMap { $0["y"]?.number }
                #expect((tops.last ?? 0) > 1_000 && tops[0] < 1_000)
            }
        }

        @Test("what is no trace is said to be none, and nothing moves", .inEveryBrowser)
        func noTrace() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run(
                    Self.drop.replacingOccurrences(of: "args[0]", with: "arguments[0]"), ["holiday.jpg"])
                try await browser.until(
                    "document.getElementById('announcements').textContent.includes('not a trace') && document.getElementById('note').textContent.includes('not a trace')",
                    "the word for it")
                #expect(try await browser.run("return probe.items()[0];") == 0)
            }
        }
    }
}
