import Demo
import Foundation
import TestSupport
import Testing

/// A state of the page, and how to get there.
private struct State: Sendable {
    /// Kind of gallery that the server has.
    enum Source {
        case demo
        /// A demo whose pictures all fail.
        case failing
        /// A demo that requires a token.
        case token
        /// Three lists of the demo's pictures, in sections of two or three.
        case lists
        /// A folder with photos of nine years, long names, a video, a transparent picture and a damaged one.
        case folder
    }

    var name: String
    var path = ""
    var source = Source.demo
    var items = 100_000
    var latency = 20
    var size = [1280, 800]
    var medium = "screen"
    /// Whether the server stops after the first pictures.
    var isStopped = false
    /// Body of an async function that leads to the state.
    var steps = ""
}

extension ScreenshotTests {
    private static let selecting = "await pageProbe.select(1, 2);"

    /// Waits until the first race of the page has its verdict.
    private static let decided =
        "await probe.until(() => document.getElementById('race').dataset.state === 'done', 'the verdict');"

    private static let states = [
        State(name: "justified", path: "?layout=justified"), State(name: "masonry", path: "?layout=masonry"),
        State(name: "small", path: "?size=0"), State(name: "viewer", path: "?view=30"),
        State(name: "viewer-facts", path: "?view=30", steps: "document.querySelector('[data-action=facts]').click();"),
        State(name: "filmstrip", path: "?view=30", steps: "document.querySelector('[data-action=filmstrip]').click();"),
        State(name: "ten-million", path: "?item=5000000", items: 10_000_000),
        State(name: "share", steps: "document.getElementById('share-open').click();"),
        State(name: "arranged", path: "?sort=taken&group=none", steps: "probe.scroller.scrollTop = 9000;"),
        State(name: "arranging", path: "?sort=taken", steps: "document.getElementById('arrange-open').click();"),
        State(name: "filtered", path: "?sort=taken&taken=2019..2020&text=lisbon"),
        State(name: "nothing-found", path: "?text=nothing+of+this+name"),
        State(name: "selected", steps: selecting),
        State(name: "keys", steps: "dispatchEvent(new KeyboardEvent('keydown', { key: '?' }));"),
        State(name: "waiting", latency: 9_000, steps: "probe.scroller.scrollTop = 400000;"),
        State(name: "dashboard", path: "?dashboard"),
        State(name: "failing", path: "?dashboard&failureRate=0.5", steps: "probe.scroller.scrollTop = 90000;"),
        State(
            name: "all-failing", source: .failing,
            steps: "await probe.until(() => !sessionProbe.notice.hidden, 'the notice');"),
        State(name: "recording", path: "?dashboard", steps: "document.getElementById('record').click();"),
        State(name: "no-gallery", path: "?gallery=nowhere"),
        State(name: "race", path: "?race&latency=250&bandwidth=30"),
        State(name: "verdict", path: "?race&latency=250&bandwidth=30", steps: decided),
        State(name: "suggestions", steps: "await pageProbe.suggest('20');"),
        State(name: "server-gone", isStopped: true),
        State(name: "viewer-server-gone", path: "?view=30", isStopped: true),
        State(name: "wide", size: [2560, 1440]), State(name: "tablet", size: [768, 1024]),
        State(name: "tablet-filtered", path: "?sort=taken&taken=2019..2020&text=lisbon", size: [820, 1180]),
        State(name: "folder", source: .folder),
        State(name: "folder-by-name", path: "?sort=path", source: .folder),
        State(
            name: "folder-viewer-facts", path: "?sort=path&view=1", source: .folder,
            steps: "document.querySelector('[data-action=facts]').click();"),
        State(name: "folder-video", path: "?sort=path&view=43", source: .folder),
        State(name: "folder-transparent", path: "?sort=path&view=42", source: .folder),
        State(name: "phone-folder", source: .folder, size: [390, 780]),
        State(name: "phone-token", source: .token, size: [390, 780]),
        State(name: "start", source: .lists), State(name: "token", source: .token),
        State(name: "few-each", path: "?gallery=holidays&layout=justified", source: .lists),
        State(
            name: "print", size: [800, 1130], medium: "print",
            steps:
                "await probe.until(() => document.querySelectorAll('#print li').length && [...document.images].every((image) => !image.currentSrc || image.complete), 'paper');"
        ),
        State(name: "phone-menu", size: [390, 780], steps: "document.getElementById('tools-open').click();"),
        State(
            name: "phone-scrolling", size: [390, 780],
            steps: "for (let i = 0; i < 20; i++) { probe.scroller.scrollTop += 40; await probe.frame(); }"),
        State(name: "phone-selected", size: [390, 780], steps: selecting),
        State(name: "phone-dashboard", path: "?dashboard", size: [390, 780]),
        State(
            name: "phone-keys", size: [390, 780], steps: "dispatchEvent(new KeyboardEvent('keydown', { key: '?' }));"),
        State(name: "phone-race", path: "?race", size: [390, 844]),
        State(name: "phone-race-landscape", path: "?race", size: [844, 390]),
        State(name: "phone-verdict", path: "?race", size: [390, 844], steps: decided),
        State(name: "phone-viewer", path: "?view=30", size: [390, 780]),
        State(
            name: "phone-viewer-facts", path: "?view=30", size: [390, 780],
            steps: "document.querySelector('[data-action=facts]').click();"),
        State(
            name: "phone-share", size: [390, 780],
            steps: "document.getElementById('tools-open').click(); document.getElementById('share-open').click();"),
        State(name: "phone-start", source: .lists, size: [390, 780]),
        State(name: "phone-landscape", size: [844, 390]),
        State(name: "phone-landscape-viewer", path: "?view=30", size: [844, 390]),
        State(name: "phone-landscape-dashboard", path: "?dashboard", size: [844, 390]),
        State(name: "phone-nothing-found", path: "?text=nothing+of+this+name", size: [390, 780]),
        State(name: "narrow", size: [320, 568]),
        State(name: "zoomed", size: [320, 256]),
        State(name: "zoomed-race", path: "?race", size: [320, 256]),
        State(name: "zoomed-token", source: .token, size: [320, 256]),
    ]

    /// Puts pictures of all states on one page for each engine, `states/ENGINE/index.html`, so that people can compare them.
    @Test("axe-core finds no violations in any state of the page, in light and dark colours", .whereEnginesDiffer)
    func contactSheet() async throws {
        let engine = Engine.current
        var sheet = "<!doctype html><meta charset=utf-8><title>States of the page</title><style>"
        sheet +=
            "figure { display: inline-block; margin: 8px; } img { height: 400px; } body { background: gray; }</style>"
        for state in Self.states {
            for scheme in ["light", "dark"] {
                let name = "\(state.name)-\(scheme)"
                try await withServer(state) { address, stop in
                    try await Self.picture(
                        "states/\(engine)/\(name)", scheme, of: address + state.path,
                        width: state.size[0], height: state.size[1], colors: 2
                    ) { browser in
                        if state.medium != "screen" { try await browser.emulate(.medium(state.medium)) }
                        if state.isStopped {
                            try await browser.wait("await pageProbe.settle();")
                            stop()
                            try await browser.until(
                                "document.documentElement.dataset.connection === 'reconnecting'", "the loss")
                        }
                        let settle = "await pageProbe.settle();"
                        try await browser.wait(settle + state.steps + (state.steps.isEmpty ? "" : settle))
                        guard axe != nil, state.medium == "screen" else { return }
                        let options = scheme == "light" ? "{}" : "{ runOnly: ['color-contrast'] }"
                        try await PageTests.Accessibility.violations(browser, name, options: options)
                    }
                }
                sheet +=
                    "<figure><img src=\(name).\(engine == .chromium ? "webp" : "png") alt=''><figcaption>\(name)</figcaption></figure>\n"
            }
        }
        guard let screenshots else { return }
        try sheet.write(toFile: "\(screenshots)/states/\(engine)/index.html", atomically: true, encoding: .utf8)
    }

    private func withServer(_ state: State, _ body: (_ address: String, _ stop: () -> Void) async throws -> Void)
        async throws
    {
        let folder = try TemporaryFolder()
        var arguments: [String] = []
        if state.source == .failing { arguments = ["--failure-rate", "1"] }
        if state.source == .token {
            arguments = ["--token-file", try folder.write("token", Array("0123456789abcdef\n".utf8))]
        }
        if state.source == .folder {
            let path = try Self.photographs(in: folder)
            let server = try await LookaheadProcess(["serve", path])
            defer { server.stop() }
            return try await body(server.address) { server.stop() }
        }
        let demo = try await Demo(items: state.items, latency: state.latency, also: arguments)
        defer { demo.stop() }
        guard state.source == .lists else { return try await body(demo.address) { demo.stop() } }
        func address(_ item: Int) -> String {
            "http://127.0.0.1:\(demo.port)/api/v1/galleries/demo/items/\(item)/thumbnail?width=512"
        }
        var lists: [String] = []
        for (number, name) in ["holidays", "garden", "walks"].enumerated() {
            let lines = (0..<240).map {
                "\(address(number * 1000 + $0)),\(name.capitalized) of year \(2000 + $0 * 4 / 9)\n"
            }
            lists.append(try folder.write(name + ".csv", Array(("url,section\n" + lines.joined()).utf8)))
        }
        let server = try await LookaheadProcess(["serve"] + lists + ["--allow-origin", "127.0.0.1:\(demo.port)"])
        defer { server.stop() }
        try await body(server.address) { server.stop() }
    }

    /// Writes a folder of 44 files, and returns its path.
    private static func photographs(in folder: TemporaryFolder) throws -> String {
        for number in 0..<42 {
            var camera = CameraFile()
            (camera.make, camera.model) = number % 3 == 0 ? ("Canon", "EOS R5") : ("Apple", "iPhone 14")
            let (year, month) = (2016 + number / 5, 1 + number * 7 % 12)
            camera.taken = "\(year):\(month < 10 ? "0" : "")\(month):12 14:03:22"
            let size = number % 4 == 0 ? (600, 800) : (900, 600)
            let picture = try #require(DemoPicture(width: size.0, height: size.1, text: "\(number)")?.jpeg())
            let name =
                number % 7 == 1
                ? "A walk along the coast with everybody who could come, part \(number)" : "IMG_\(100 + number)"
            try folder.write(
                "pictures/\(number < 20 ? "Coast" : "Mountains")/\(name).jpg", camera.bytes(around: picture))
        }
        try folder.write("pictures/Videos/a logo.gif", transparent)
        try folder.write("pictures/Videos/b film.mp4", Movie.quadrants)
        try folder.write("pictures/Videos/c damaged.jpg", Array(Picture.jpeg(900, 600).prefix(400)))
        return "\(folder.path)/pictures"
    }

    /// A GIF of two pixels, one of them transparent.
    private static let transparent: [UInt8] =
        Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 20, 20, 20, 0, 0, 0, 0x21, 0xF9, 4, 1, 0, 0, 1, 0]
        + [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x0A, 0, 0x3B]
}
