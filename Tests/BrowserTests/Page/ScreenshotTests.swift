import Foundation
import JSON
import TestSupport
import Testing

/// The README's pictures. `LOOKAHEAD_SCREENSHOTS=FOLDER swift test -c release --filter ScreenshotTests` makes them. Weekly the
/// same is done in little time, waiting for no telling moment, and nothing is kept.
let screenshots = ProcessInfo.processInfo.environment["LOOKAHEAD_SCREENSHOTS"]

@Suite(
    .serialized, .sharedBrowsers, .explained, .enabled(if: Weekly.isOn || screenshots != nil, "runs weekly"),
    .timeLimit(.minutes(30)))
struct ScreenshotTests {
    /// Properties of a picture that need no eye.
    struct Facts {
        var width: Int
        var height: Int
        /// Mean brightness, 0 to 1.
        var light: Double
        /// Different ones among 4,096 points, each channel cut to four bits.
        var colors: Int
    }

    /// Opens a page in a colour scheme and takes a picture of it once `body` has brought it there.
    @discardableResult
    private func picture(
        _ name: String, _ scheme: String, path: String = "", latency: Int = 20, bandwidth: Int = 200,
        width: Int = 1280, height: Int = 800, _ body: (Browser) async throws -> Void
    ) async throws -> Facts {
        let demo = try await Demo(items: 100_000, latency: latency, bandwidth: bandwidth)
        defer { demo.stop() }
        return try await Self.picture(name, scheme, of: demo.address + path, width: width, height: height, body)
    }

    /// The same of any address, `colors`: how many different ones there are at least.
    @discardableResult
    static func picture(
        _ name: String, _ scheme: String, of address: String, width: Int, height: Int,
        colors: Int = 31, _ body: (Browser) async throws -> Void
    ) async throws -> Facts {
        let scale = width < 500 ? 2 : 1
        var facts = Facts(width: 0, height: 0, light: 0, colors: 0)
        try await withBrowser { browser in
            // Firefox forgets the device where it goes to another page, not where it loads the same one again.
            if browser.engine == .firefox { try await browser.open(address) }
            try await browser.emulate(.colorScheme(scheme))
            try await browser.emulate(.device(width: width, height: height, scale: scale, touch: width < 500))
            if browser.engine == .firefox { try await browser.reload() } else { try await browser.open(address) }
            try await body(browser)
            let picture = try await browser.screenshot()
            facts = try await Self.facts(picture, browser)
            if let screenshots {
                // The README's are loaded with it.
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

    /// Looks at a picture in the browser that took it.
    private static func facts(_ picture: Data, _ browser: Browser) async throws -> Facts {
        let told = try await browser.wait(
            """
            const bytes = Uint8Array.from(atob(args[0]), (character) => character.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes]));
            const context = new OffscreenCanvas(64, 64).getContext('2d');
            context.drawImage(bitmap, 0, 0, 64, 64);
            const { data } = context.getImageData(0, 0, 64, 64);
            let light = 0;
            const colors = new Set();
            for (let i = 0; i < data.length; i += 4) {
              light += (data[i] + data[i + 1] + data[i + 2]) / (3 * 255 * 4096);
              colors.add((data[i] >> 4 << 8) | (data[i + 1] >> 4 << 4) | (data[i + 2] >> 4));
            }
            return { width: bitmap.width, height: bitmap.height, light, colors: colors.size };
            """, [.string(picture.base64EncodedString())])
        return Facts(
            width: told["width"]?.integer ?? 0, height: told["height"]?.integer ?? 0,
            light: told["light"]?.number ?? 0, colors: told["colors"]?.integer ?? 0)
    }

    /// The same in light and in dark, which must show.
    private func both(_ body: (_ scheme: String) async throws -> Facts) async throws {
        let (light, dark) = (try await body("light"), try await body("dark"))
        #expect(light.light > dark.light + 0.02, "\(light) \(dark)")
    }

    /// Every picture in sight is there; whose it is, only pictures of tests tell.
    private static let shown =
        "probe.visible().length > 0 && probe.visible().every((cell) => cell.dataset.state === 'ready')"
    /// A second of frames: what fades in has faded in.
    static let still = "for (let i = 0; i < 60; i++) await probe.frame();"

    @Test("the gallery, part of the way down, in light and in dark")
    func gallery() async throws {
        try await both { scheme in
            try await picture("gallery-\(scheme)", scheme, height: 760) { browser in
                try await browser.until(Self.shown, "first pictures")
                try await browser.run("probe.scroller.scrollTop = 12000;")
                try await browser.until(Self.shown, "pictures part of the way down")
                try await browser.wait(Self.still)
            }
        }
    }

    @Test("a phone")
    func phone() async throws {
        try await picture("phone", "dark", width: 390, height: 780) { browser in
            try await browser.until(Self.shown, "first pictures")
            try await browser.run("probe.scroller.scrollTop = 6000;")
            try await browser.until(Self.shown, "pictures part of the way down")
            try await browser.wait(Self.still)
        }
    }

    @Test("the dashboard, while pictures are on their way, in light and in dark")
    func dashboard() async throws {
        try await both { scheme in
            try await picture(
                "dashboard-\(scheme)", scheme, path: "?dashboard", latency: 250,
                bandwidth: screenshots == nil ? 40 : 4, height: 860
            ) { browser in
                try await browser.until(Self.shown, "first pictures")
                guard screenshots != nil else { return }
                // Some looking around, in a few flings, so that the lines have something to tell.
                try await browser.wait(
                    """
                    const fling = async (speed, length) => {
                      const [began, from] = [performance.now(), probe.scroller.scrollTop];
                      for (let t = 0; t < length; t = performance.now() - began) {
                        probe.scroller.scrollTop = from + (speed * (0.998 ** t - 1)) / Math.log(0.998);
                        await probe.frame();
                      }
                    };
                    for (let turn = 0; turn < 6; turn++) await fling(3, 3500);
                    // Then harder ones, until pictures are on their way where one stops: some there, some coming, some to come.
                    const worn = (state) => probe.visible().filter((cell) => cell.dataset.ring === state).length;
                    const telling = () => worn('loading') > 1 && worn('ready') > 3 && worn('asked') > 0;
                    for (let turn = 0; turn < 12 && !telling(); turn++) {
                      await fling(6, 1500);
                      for (const end = performance.now() + 2500; !telling() && performance.now() < end; ) await probe.frame();
                    }
                    if (!telling()) throw new Error('no moment worth a picture');
                    """)
            }
        }
    }

    @Test("a race, at the moment that shows why, in light and in dark")
    func race() async throws {
        try await both { scheme in
            try await picture(
                "race-\(scheme)", scheme,
                path: "?race=collection-view,lookahead&trace=fling&latency=250&bandwidth=30", height: 820
            ) { browser in
                try await browser.until(
                    "['preparing', 'running'].includes(document.getElementById('race').dataset.state)", "the start")
                guard screenshots != nil else { return }
                try await browser.wait(
                    """
                    const race = document.getElementById('race');
                    const blank = [...race.querySelectorAll('article')].map((pane) => {
                      const box = pane.querySelector('.view').getBoundingClientRect();
                      return () => [...pane.querySelectorAll('.cell[data-state="waiting"]')].filter((cell) => {
                        const r = cell.getBoundingClientRect();
                        return r.height && r.bottom > box.top && r.top < box.bottom;
                      }).length;
                    });
                    const began = performance.now();
                    // After a few flings: the left side has little yet of what the right one shows. Or else the verdict.
                    await probe.until(() => race.dataset.state === 'done' || (performance.now() - began > 7000 && blank[0]() - blank[1]() > 13 && blank[1]() < 5), 'a telling moment', 55000);
                    """)
            }
        }
    }

    /// The picture at the top of the README. Screenshots are what a slow machine has time for, so they carry their times.
    @Test("a race, from its start to its verdict, as a moving picture of less than 1 MB")
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
            try await browser.wait(Self.still)
            try await Self.animate(
                frames, last: try await browser.screenshot(half: size), to: "\(screenshots)/race.webp")
        }
    }

    /// Makes one moving WebP of the latest nine seconds of `frames`, by the tool of libwebp, and rests on `last` for three.
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
