import Foundation
import JSON
import TestSupport
import Testing

/// Folder for the README's pictures. `LOOKAHEAD_SCREENSHOTS=FOLDER swift test -c release --filter ScreenshotTests` makes them. If it is
/// `nil`, the weekly tests take pictures as well, but wait for no telling moment and store nothing.
let screenshots = ProcessInfo.processInfo.environment["LOOKAHEAD_SCREENSHOTS"]

@Suite(
    .serialized, .sharedBrowsers, .explained, .enabled(if: Weekly.isOn || screenshots != nil, "runs weekly"),
    .timeLimit(.minutes(30)))
struct ScreenshotTests {
    /// Properties of a picture that a program can measure.
    struct Facts {
        var width: Int
        var height: Int
        /// Mean brightness, from 0 to 1.
        var light: Double
        /// Number of different colours of 4,096 points, with four bits for each channel.
        var colors: Int
    }

    /// Opens a page of a demo in a colour scheme, runs `body`, and takes a picture of the page.
    @discardableResult
    private func picture(
        _ name: String, _ scheme: String, path: String = "", latency: Int = 20, bandwidth: Int = 200,
        width: Int = 1280, height: Int = 800, _ body: (Browser) async throws -> Void
    ) async throws -> Facts {
        let demo = try await Demo(items: 100_000, latency: latency, bandwidth: bandwidth)
        defer { demo.stop() }
        return try await Self.picture(name, scheme, of: demo.address + path, width: width, height: height, body)
    }

    /// Opens a page at any address in a colour scheme, runs `body`, and takes a picture of the page.
    ///
    /// - Parameter colors: Minimum number of different colours.
    @discardableResult
    static func picture(
        _ name: String, _ scheme: String, of address: String, width: Int, height: Int,
        colors: Int = 31, _ body: (Browser) async throws -> Void
    ) async throws -> Facts {
        let scale = width < 500 ? 2 : 1
        var facts = Facts(width: 0, height: 0, light: 0, colors: 0)
        try await withBrowser { browser in
            // Firefox forgets the device if it opens another page, but not if it loads the same page again.
            if browser.engine == .firefox { try await browser.open(address) }
            try await browser.emulate(.colorScheme(scheme))
            try await browser.emulate(.device(width: width, height: height, scale: scale, touch: width < 500))
            if browser.engine == .firefox { try await browser.reload() } else { try await browser.open(address) }
            try await body(browser)
            let picture = try await browser.screenshot()
            facts = try await Self.facts(picture, browser)
            if let screenshots {
                // The README loads these pictures.
                if browser.engine == .chromium, !name.hasPrefix("states/") {
                    #expect(picture.count < 300_000, "\(name): \(picture.count) bytes")
                }
                let file = URL(
                    fileURLWithPath: "\(screenshots)/\(name).\(browser.engine == .chromium ? "webp" : "png")")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try picture.write(to: file)
            }
        }
        #expect(facts.width == width * scale && facts.height == height * scale, "\(name): \(facts)")
        #expect(facts.colors >= colors, "\(name): \(facts)")
        return facts
    }

    /// Measures a picture in the browser that took it.
    private static func facts(_ picture: Data, _ browser: Browser) async throws -> Facts {
        let told = try await browser.wait(
            "return await pageProbe.imageFacts(args[0]);", [.string(picture.base64EncodedString())])
        return Facts(
            width: told["width"]?.integer ?? 0, height: told["height"]?.integer ?? 0,
            light: told["light"]?.number ?? 0, colors: told["colors"]?.integer ?? 0)
    }

    /// Takes a picture in light and in dark colours, and expects that the light one is brighter.
    private func both(_ body: (_ scheme: String) async throws -> Facts) async throws {
        let (light, dark) = (try await body("light"), try await body("dark"))
        #expect(light.light > dark.light + 0.02, "\(light) \(dark)")
    }

    @Test("the gallery is brighter in light colours than in dark ones")
    func gallery() async throws {
        try await both { scheme in
            try await picture("gallery-\(scheme)", scheme, height: 760) { browser in
                try await browser.until("pageProbe.isReady()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 12000;")
                try await browser.until("pageProbe.isReady()", "pictures part of the way down")
                try await browser.wait("await pageProbe.settle();")
            }
        }
    }

    @Test("a phone shows the gallery at the resolution of its screen")
    func phone() async throws {
        try await picture("phone", "dark", width: 390, height: 780) { browser in
            try await browser.until("pageProbe.isReady()", "first pictures")
            try await browser.run("probe.scroller.scrollTop = 6000;")
            try await browser.until("pageProbe.isReady()", "pictures part of the way down")
            try await browser.wait("await pageProbe.settle();")
        }
    }

    @Test("the dashboard is brighter in light colours than in dark ones, while pictures load")
    func dashboard() async throws {
        try await both { scheme in
            try await picture(
                "dashboard-\(scheme)", scheme, path: "?dashboard", latency: 250,
                bandwidth: screenshots == nil ? 40 : 4, height: 860
            ) { browser in
                try await browser.until("pageProbe.isReady()", "first pictures")
                guard screenshots != nil else { return }
                // Scrolls a lot, so that the lines of the figures vary.
                try await browser.wait("await pageProbe.lookAround();")
            }
        }
    }

    @Test("a race is brighter in light colours than in dark ones")
    func race() async throws {
        try await both { scheme in
            try await picture(
                "race-\(scheme)", scheme,
                path: "?race=collection-view,lookahead&trace=fling&latency=250&bandwidth=30", height: 820
            ) { browser in
                try await browser.until(
                    "['preparing', 'running'].includes(document.getElementById('race').dataset.state)", "the start")
                guard screenshots != nil else { return }
                try await browser.wait("await pageProbe.raceMoment();")
            }
        }
    }

    /// Makes the picture at the top of the README. A slow machine takes fewer screenshots, so each has its time.
    @Test("an animated picture of a race, from start to verdict, has less than 1 MB")
    func movingRace() async throws {
        let demo = try await Demo(items: 100_000, latency: 250, bandwidth: 30)
        defer { demo.stop() }
        let size = (width: 1280, height: 760)
        try await withBrowser { browser in
            try await browser.emulate(.device(width: size.width, height: size.height))
            try await browser.open(
                demo.address + "?race=collection-view,lookahead&trace=fling&latency=250&bandwidth=30")
            func state() async throws -> String? {
                try await browser.run("return document.getElementById('race').dataset.state;").string
            }
            try await browser.until("document.getElementById('race').dataset.state === 'running'", "the race")
            var frames: [(picture: Data, time: ContinuousClock.Instant)] = []
            while frames.count < (screenshots == nil ? 2 : 400), try await state() == "running" {
                frames.append((try await browser.screenshot(half: size), .now))
            }
            #expect(frames.count > 1)
            guard let screenshots else { return }
            try FileManager.default.createDirectory(atPath: screenshots, withIntermediateDirectories: true)
            try await browser.until("document.getElementById('race').dataset.state === 'done'", "the verdict")
            try await browser.wait("await pageProbe.settle();")
            try await Self.animate(
                frames, last: try await browser.screenshot(half: size), to: "\(screenshots)/race.webp")
        }
    }

    /// Makes an animated WebP of the last nine seconds of `frames`, and of `last` for three seconds, with the tool of libwebp.
    private static func animate(
        _ frames: [(picture: Data, time: ContinuousClock.Instant)], last: Data, to path: String
    ) async throws {
        let shown = frames.drop { $0.time.duration(to: frames[frames.count - 1].time) > .seconds(9) }
        let place = try TemporaryFolder()
        var arguments = ["-loop", "0", "-kmax", "0"]
        for (index, frame) in shown.indices.enumerated() {
            let (picture, time) = shown[frame]
            let next = frame + 1 < shown.endIndex ? shown[frame + 1].time : time.advanced(by: .milliseconds(150))
            let milliseconds = Int(time.duration(to: next) / .milliseconds(1))
            let file = "\(place.path)/\(index).webp"
            try picture.write(to: URL(fileURLWithPath: file))
            arguments += ["-lossy", "-q", "40", "-m", "4", "-d", String(max(milliseconds, 20)), file]
        }
        let file = "\(place.path)/last.webp"
        try last.write(to: URL(fileURLWithPath: file))
        let made = try Child("/usr/bin/env", ["img2webp"] + arguments + ["-q", "70", "-d", "3000", file, "-o", path])
        let output = await made.output()
        #expect(made.wait() == 0, "\(output)")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(size < 1_000_000)
    }
}
