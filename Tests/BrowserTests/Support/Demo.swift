import JSON
import TestSupport

/// `lookahead demo` on a port of its own.
typealias Demo = LookaheadProcess

extension LookaheadProcess {
    convenience init(items: Int, latency: Int = 20, bandwidth: Int = 200, also arguments: [String] = []) async throws {
        try await self.init(
            ["demo", "--items", "\(items)", "--latency", "\(latency)", "--bandwidth", "\(bandwidth)"] + arguments)
    }

    /// One call of the JSON API; null when the answer has no body.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        try await TestClient.exchange(method, port: port, path: "/api/v1/" + path, body: body).json
    }

    /// Counts of the demo's origin so far: requests, completed, aborted, failed, bytes.
    func originCount(_ name: String) async throws -> Int {
        try await call("GET", "demo/origin")["counts"]?[name]?.integer ?? -1
    }

    /// The last requests that the origin has answered or given up, as far as its log shows them.
    func originLog() async throws -> [(number: Int, item: Int, outcome: String)] {
        (try await call("GET", "demo/origin")["recent"]?.array ?? []).compactMap { entry in
            guard let number = entry["number"]?.integer, let item = entry["item"]?.integer,
                let outcome = entry["outcome"]?.string
            else { return nil }
            return (number, item, outcome)
        }
    }
}

/// A browser, a server, and the origin of its pictures, which has just gone.
func withOriginGone(
    items: Int = 300,
    _ body: (_ browser: Browser, _ server: LookaheadProcess, _ origin: LookaheadProcess) async throws -> Void
) async throws {
    let origin = try await Demo(items: items, latency: 0)
    defer { origin.stop() }
    let folder = try TemporaryFolder()
    let addresses = (0..<items).map {
        "http://127.0.0.1:\(origin.port)/api/v1/galleries/demo/items/\($0)/thumbnail?width=256\n"
    }
    let list = try folder.write("list.txt", Array(addresses.joined().utf8))
    // A host that was away is asked again soon.
    let server = try await LookaheadProcess(
        ["serve", list, "--allow-origin", "127.0.0.1:\(origin.port)", "--host-rest", "200"])
    defer { server.stop() }
    origin.kill()
    try await withBrowser { try await body($0, server, origin) }
}
