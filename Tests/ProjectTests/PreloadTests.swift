import Foundation
import TestSupport
import Testing

/// The page's preload links, compared with the imports of its modules.
@Suite(.timeLimit(.minutes(1)))
struct PreloadTests {
    private func page() async throws -> String {
        let server = try await LookaheadProcess(["demo", "--items", "1"])
        defer { server.stop() }
        return try TestClient(server.port).get("/").text.replacing(#/assets\/[^\/"]+\//#, with: "")
    }

    @Test("the page preloads each of its modules once, in three groups")
    func lists() async throws {
        let page = try await page()
        let parts = page.components(separatedBy: "<template id=\"rest\">")
        try #require(parts.count == 2, "one list of the modules loaded after the session's request")
        let head = parts[0].components(separatedBy: "js/boot.js\"></script>")
        try #require(head.count == 2, "the page's first script")
        let first = try closure(of: "boot.js")
        #expect(Set(links(head[0])) == first.subtracting(["boot.js"]))
        let screen = try closure(of: "session/event-channel.js").union(closure(of: "grid/first-screen.js"))
        #expect(Set(links(head[1])) == screen.subtracting(first))
        let rest = links(parts[1])
        #expect(Set(rest) == Set(try closure(of: "main.js")).subtracting(first).subtracting(screen))
        for links in [links(head[0]), links(head[1]), rest] { #expect(links.count == Set(links).count, "named twice") }
    }

    @Test("the embedded element's module names all modules that it needs")
    func element() async throws {
        let server = try await LookaheadProcess(["demo", "--items", "1"])
        defer { server.stop() }
        let text = try TestClient(server.port).get("/embed.js").text.replacing(#/assets\/[^\/"]+\//#, with: "")
        let named = text.matches(of: #/(?m)^(?:import|export .* from) '\.\/js\/([^']+)'/#).map { String($0.1) }
        let exported = ["embed/embedded-gallery.js", "embed/lookahead-gallery.js", "session/api.js"]
        #expect(Set(named) == Set(try exported.flatMap(closure)))
        #expect(exported.allSatisfy { text.contains("} from './js/\($0)'") })
    }

    @Test("the page's head needs at most six requests up to its first script")
    func six() async throws {
        let head = try await page()
            .components(separatedBy: "</script>")[0].replacing(#/<noscript>.*?</noscript>/#, with: "")
        let requests = head.matches(of: #/<link rel="(?:stylesheet|modulepreload)"|<script[^>]* src=/#)
        #expect((1...6).contains(requests.count))
    }

    private func links(_ html: String) -> [String] {
        html.matches(of: #/<link rel="modulepreload"[^>]* href="js/([^"]+)">/#).map { String($0.1) }
    }

    /// A module and its static imports, direct and indirect.
    private func closure(of module: String) throws -> Set<String> {
        var found: Set<String> = []
        var open = [module]
        while let next = open.popLast() {
            guard found.insert(next).inserted else { continue }
            let text = try Checkout.text("Public/js/\(next)")
            let folder = URL(fileURLWithPath: "/\(next)").deletingLastPathComponent()
            for statement in text.matches(of: #/(?m)^(?:import|export)[^'"]*? from '([^']+)'/#) {
                open.append(String(folder.appendingPathComponent(String(statement.1)).standardized.path.dropFirst()))
            }
        }
        return found
    }
}
