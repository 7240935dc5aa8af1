import Foundation
import TestSupport
import Testing

/// A state of the page to be looked at: what leads there.
private struct State: Sendable {
    /// The gallery that is served.
    enum Source {
        case demo
        /// The demo whose pictures all fail.
        case failing
        /// The demo behind a token.
        case token
        /// Three lists of the demo's pictures, in sections of two or three.
        case lists
    }

    var name: String
    var path = ""
    var source = Source.demo
    var items = 100_000
    var latency = 20
    var size = [1280, 800]
    var medium = "screen"
    /// The body of an async function.
    var steps = ""
}

extension ScreenshotTests {
    /// Selects two pictures, as soon as the part of the page that does it is there.
    private static let selecting =
        "for (const item of [1, 2]) await probe.until(() => { const cell = probe.cell(item); cell.dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true, cancelable: true })); return 'selected' in cell.dataset; }, 'a selected picture');"

    /// Until the first race of the page has its verdict.
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
            steps: "await probe.until(() => !document.getElementById('notice').hidden, 'the word for it');"),
        State(name: "recording", path: "?dashboard", steps: "document.getElementById('record').click();"),
        State(name: "no-gallery", path: "?gallery=nowhere"),
        State(name: "race", path: "?race&latency=250&bandwidth=30"),
        State(name: "verdict", path: "?race&latency=250&bandwidth=30", steps: decided),
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

    /// All of them on one page for each engine, to be looked at side by side: `states/ENGINE/index.html`.
    @Test(
        "every state of the page, in light and in dark",
        .enabled(if: screenshots != nil, "makes pictures to be looked at"), .whereEnginesDiffer)
    func contactSheet() async throws {
        guard let screenshots else { return }
        let engine = Engine.current
        var sheet = "<!doctype html><meta charset=utf-8><title>States of the page</title><style>"
        sheet +=
            "figure { display: inline-block; margin: 8px; } img { height: 400px; } body { background: gray; }</style>"
        for state in Self.states {
            for scheme in ["light", "dark"] {
                let name = "\(state.name)-\(scheme)"
                try await withServer(state) { address in
                    try await Self.picture(
                        "states/\(engine)/\(name)", scheme, of: address + state.path,
                        width: state.size[0], height: state.size[1], colors: 2
                    ) { browser in
                        if state.medium != "screen" { try await browser.emulate(.medium(state.medium)) }
                        try await browser.wait(Self.still + state.steps + (state.steps.isEmpty ? "" : Self.still))
                    }
                }
                sheet +=
                    "<figure><img src=\(name).\(engine == .chromium ? "webp" : "png") alt=''><figcaption>\(name)</figcaption></figure>\n"
            }
        }
        try sheet.write(toFile: "\(screenshots)/states/\(engine)/index.html", atomically: true, encoding: .utf8)
    }

    private func withServer(_ state: State, _ body: (_ address: String) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        var arguments: [String] = []
        if state.source == .failing { arguments = ["--failure-rate", "1"] }
        if state.source == .token {
            arguments = ["--token-file", try folder.write("token", Array("0123456789abcdef\n".utf8))]
        }
        let demo = try await Demo(items: state.items, latency: state.latency, also: arguments)
        defer { demo.stop() }
        guard state.source == .lists else { return try await body(demo.address) }
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
        try await body(server.address)
    }
}
