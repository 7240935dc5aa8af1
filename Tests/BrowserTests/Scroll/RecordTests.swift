import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Recording and replay")
    struct Recording {
        @Test("the replay command reads a recorded scroll, and the page plays it after a drop")
        func record() async throws {
            try await withPage(path: "?dashboard") { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("scrollProbe.catchFiles(); document.getElementById('record').click();")
                try await browser.wheel(by: 500, turns: 8)
                try await browser.until("probe.items()[0] > 20 && probe.filled()", "after the wheel")
                // The address names the place as soon as the scroll has ended.
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
                try await browser.run("scrollProbe.drag('drop', arguments[0]);", [.string(text)])
                try await browser.wait(
                    "await probe.until(() => JSON.stringify(probe.items()) === args[0] && probe.filled(), 'the end of the scroll');",
                    [.string(String(decoding: there.bytes, as: UTF8.self))])
            }
        }

        @Test(
            "the replay command's report draws each policy's record, and a bar says why its picture was wanted",
            .inEveryBrowser)
        func report() async throws {
            let folder = try TemporaryFolder()
            let layout = #"{"kind":"grid","itemWidth":200,"itemHeight":200}"#
            let header = #"{"version":1,"itemCount":900,"viewport":{"width":600,"height":400},"layout":\#(layout)}"#
            let samples = (0..<60).map { #"{"t":\#($0 * 16),"y":\#($0 * 30),"phase":"wheel"}"# }
            let trace = try folder.write("a.ndjson", Array(([header] + samples).joined(separator: "\n").utf8))
            let replay = try Child(
                Demo.executable, ["replay", trace, "--format", "html", "--policy", "lookahead", "--policy", "oracle"])
            let page = await replay.output()
            #expect(replay.wait() == 0, "\(replay.standardError())")
            try folder.write("report.html", Array(page.utf8))
            try await withBrowser { browser in
                try await browser.open("file://\(folder.path)/report.html")
                try await browser.until(
                    "document.querySelectorAll('figure .waterfall-table tr').length > 40", "the tables")
                try await browser.until(
                    """
                    [...document.querySelectorAll('canvas')].every((canvas) => {
                      const { left, top, width, height } = canvas.getBoundingClientRect()
                      for (let place = 0; place < 900; place++) {
                        const [clientX, clientY] = [left + (place % 30) * width / 30, top + Math.floor(place / 30) * height / 30]
                        canvas.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY }))
                        if (/^Picture \\d+\\. Needed .*: .+\\. First in the queue\\./.test(canvas.nextElementSibling.textContent)) return true
                      }
                    })
                    """, "a reason in each waterfall")
            }
        }

        @Test(
            "a recording shows its time, and a replay shows its progress and a button that stops it",
            .inEveryBrowser)
        func feedback() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("probe.filled()", "first pictures")
                // The button's code may not have loaded yet.
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
                try await browser.until("scrollProbe.note() === 'Recording saved'", "the note")
                try await browser.run("scrollProbe.drag('dragover', scrollProbe.trace());")
                try await browser.until("document.getElementById('drop').checkVisibility()", "the drop target")
                try await browser.run("scrollProbe.drag('drop', scrollProbe.trace());")
                let bar = "document.getElementById('playing')"
                try await browser.until("\(bar).checkVisibility() && \(bar).textContent.includes('of 0:14')", "the bar")
                try await browser.until("probe.scroller.scrollTop > 300", "the scroll")
                try await browser.run("\(bar).querySelector('button').click();")
                let place = try await browser.run("return scrollProbe.playback();")
                try await browser.wait("await probe.calm();")
                #expect(
                    try await browser.run("return scrollProbe.playback();") == place
                        && place.array?.first == true)
            }
        }

        @Test("the page can save the last minute of scrolling without a recording, even if its session ends")
        func lastMinute() async throws {
            try await withPage(path: "?dashboard") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wheel(by: 200, turns: 10)
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "after the wheel")
                try await browser.run("scrollProbe.catchFiles();")
                let session = try await browser.session()
                try await demo.call("DELETE", "sessions/\(session)")
                try await browser.run("document.getElementById('save').click();")
                try await browser.until("saved.length === 1", "a file")
                let lines = try (try await browser.run("return saved[0];").string ?? "").split(separator: "\n")
                    .map { try JSON.parse(Array($0.utf8)) }
                #expect(lines[0]["version"] == 1)
                #expect(lines[0]["itemCount"] == 20_000)
                let times = lines.dropFirst().compactMap { $0["t"]?.number }
                // The start, some samples between, and the end. The turns of the wheel in one frame make one sample.
                #expect(times.count > 2 && times[0] == 0 && times == times.sorted(), "\(times)")
                #expect((times.last ?? 1e9) <= 61_000)
                let tops = lines.dropFirst().compactMap { $0["y"]?.number }
                #expect((tops.last ?? 0) > 1_000 && tops[0] < 1_000)
            }
        }

        @Test("the dashboard saves the record of the last minute as a file that the replay command reads")
        func export() async throws {
            try await withPage(path: "?dashboard") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wheel(by: 300, turns: 8)
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "after the wheel")
                try await browser.run("scrollProbe.catchFiles();")
                let button = "document.querySelector('[data-part=\"save-record\"]')"
                try await browser.run("\(button).click();")
                try await browser.until("saved.length === 1 && scrollProbe.note() === 'Record saved'", "a file")
                let text = try await browser.run("return saved[0];").string ?? ""
                let record = try JSON.parse(text)
                #expect(record["version"] == 1 && (record["samples"]?.array?.count ?? 0) > 2)
                #expect((record["pictures"]?.array?.count ?? 0) > 20)

                let folder = try TemporaryFolder()
                let file = try folder.write("record.json", Array(text.utf8))
                let replay = try Child(Demo.executable, ["replay", file, "--format", "json"])
                _ = await replay.output()
                #expect(replay.wait() == 0, "\(replay.standardError())")

                demo.kill()
                try await browser.run("\(button).click();")
                try await browser.until("scrollProbe.note().startsWith('The record was not saved.')", "the message")
                #expect(try await browser.run("return saved.length;") == 1)
            }
        }

        @Test("a dropped file that is not a trace causes a message, and the gallery does not scroll", .inEveryBrowser)
        func noTrace() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("scrollProbe.drag('drop', arguments[0]);", ["holiday.jpg"])
                try await browser.until(
                    "document.getElementById('announcements').textContent.includes('not a trace') && document.getElementById('note').textContent.includes('not a trace')",
                    "the message")
                #expect(try await browser.run("return probe.items()[0];") == 0)
            }
        }
    }
}
