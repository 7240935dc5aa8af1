import Foundation
import MicroHTTP
import Synchronization

/// A page of another site, on a port of its own. Its policy trusts the page and the gallery's server only.
final class HostPage {
    private let server: Server
    private let port: UInt16
    private let files: Files

    /// Its files, by path. The page is one of them once it is written.
    private final class Files: Sendable {
        private let texts: Mutex<[String: (type: String, text: String)]>
        private let policy = Mutex("default-src 'none'")

        init(_ texts: [String: (type: String, text: String)]) { self.texts = Mutex(texts) }

        func add(page: String, policy: String) {
            self.policy.withLock { $0 = policy }
            texts.withLock { $0["/"] = ("text/html", page) }
        }

        func answer(_ path: String) -> Response? {
            guard let (type, text) = texts.withLock({ $0[path] }) else { return nil }
            let policy = policy.withLock { $0 }
            return Response(type: type, headers: [("Content-Security-Policy", policy)], text: text)
        }
    }

    /// Starts the page's server, so that its address is known before its content.
    init() throws {
        let files = Files([
            "/host.js": ("text/javascript", Self.script), "/axe.js": ("text/javascript", axe ?? ""),
            "/host.css": ("text/css", Self.style), "/favicon.ico": ("image/x-icon", ""),
        ])
        var router = Router()
        router.on(.get, "/{file...}") { request in
            guard let answer = files.answer(request.path) else { return .text("nothing", status: 404) }
            return .now(answer)
        }
        self.files = files
        server = Server(router)
        port = try server.start()
    }

    /// - Parameters:
    ///   - body: HTML of the page's body, with the element.
    ///   - gallery: Address of the gallery server, such as `http://127.0.0.1:8080`. The page loads its script, and the page's own
    ///     style and script.
    func write(_ body: String, gallery: String) {
        let policy = [
            "default-src 'none'", "script-src 'self' \(gallery)", "style-src 'self'", "connect-src \(gallery)",
            "img-src 'self' \(gallery) data:", "media-src \(gallery)", "base-uri 'none'", "form-action 'none'",
            "require-trusted-types-for 'script'",
        ].joined(separator: "; ")
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>A page of somebody else's</title>
            <link rel="stylesheet" href="host.css"><script src="host.js"></script><script src="axe.js"></script>
            <script type="module" src="\(gallery)/embed.js"></script><body>\(body)</body></html>
            """
        files.add(page: page, policy: policy)
    }

    /// - Parameter name: One of the names of this machine. The page is of another site if the gallery's server has another name.
    func address(_ name: String = "127.0.0.1") -> String { "http://\(name):\(port)" }

    func stop() async { await server.shutdown(grace: .zero) }

    private static let style = """
        body { margin: 0 16px; font: italic 20px/3 serif; text-transform: uppercase; }
        lookahead-gallery { height: 400px; --accent: rgb(0, 128, 128); }
        lookahead-gallery::part(cell) { border-radius: 0; }
        .tall { height: 1500px; }
        """

    /// Functions that the tests call in the page, and a record of the events that the page receives.
    private static let script = """
        var heard = { itemopen: [], visiblechange: [], selectionchange: [], violations: [] };
        for (const name of ['itemopen', 'visiblechange', 'selectionchange'])
          addEventListener(name, (event) => {
            heard[name].push(event.detail);
            if (name === 'itemopen' && document.body.dataset.viewer === 'own') event.preventDefault();
          });
        addEventListener('securitypolicyviolation', (event) => heard.violations.push(`${event.effectiveDirective} ${event.blockedURI}`));
        var gallery = (number = 0) => document.querySelectorAll('lookahead-gallery')[number];
        var part = (id, number) => gallery(number)?.shadowRoot?.getElementById(id);
        var cells = (number) => {
          const box = part('scroller', number)?.getBoundingClientRect();
          return box ? [...gallery(number).shadowRoot.querySelectorAll('.cell')].filter((cell) => {
            const r = cell.getBoundingClientRect();
            return r.height > 0 && r.bottom > box.top + 0.5 && r.top < box.bottom - 0.5;
          }) : [];
        };
        var items = (number) => cells(number).map((cell) => Number(cell.dataset.item));
        var filled = (probe, number) => cells(number).length > 3
          && cells(number).every((cell) => probe.number(cell) === Number(cell.dataset.item));
        """
}

/// Starts a demo, a page of this machine that may show the demo's gallery, and a browser that opens the page.
///
/// - Parameters:
///   - body: HTML of the page's body, with `SERVER` for the demo's address.
///   - name: Name of this machine in the page's address.
///   - isNamed: Whether the demo allows the page's origin.
///   - arguments: Further arguments of the demo.
///   - run: Test to run with the browser and the demo.
func withHostPage(
    _ body: String = "<lookahead-gallery src=\"SERVER/\"></lookahead-gallery>",
    name: String = "127.0.0.1",
    isNamed: Bool = true, arguments: [String] = [],
    _ run: (Browser, Demo) async throws -> Void
) async throws {
    // The demo and the page have to know each other's port, so the page is written last.
    let page = try HostPage()
    do {
        let origin = isNamed ? page.address(name) : "https://blog.example"
        let demo = try await Demo(items: 2000, also: ["--embed-origin", origin] + arguments)
        defer { demo.stop() }
        let server = String(demo.address.dropLast())
        page.write(body.replacingOccurrences(of: "SERVER", with: server), gallery: server)
        try await withBrowser { browser in
            try await browser.open(page.address(name))
            try await run(browser, demo)
        }
    } catch {
        await page.stop()
        throw error
    }
    await page.stop()
}
