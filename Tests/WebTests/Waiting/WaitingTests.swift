import JSON
import ServerFixtures
import TestSupport
import Testing

/// Slow work, held by the test, while other requests are served.
@Suite(.timeLimit(.minutes(1)))
struct WaitingTests {
    private static let grid: JSON = ["kind": "grid", "itemWidth": 200, "itemHeight": 180]
    private static let justified: JSON = ["kind": "justified", "rowHeight": 150]

    private func call(
        _ port: UInt16, _ method: String, _ path: String, _ body: JSON? = nil
    ) async throws -> TestClient.Answer {
        try await TestClient.exchange(method, port: port, path: path, body: body)
    }

    private func open(
        _ port: UInt16, _ layout: JSON, width: Double = 600, gallery: String = "gated"
    ) async throws -> TestClient.Answer {
        try await call(
            port, "POST", "/api/v1/sessions",
            [
                "gallery": .string(gallery), "viewport": ["width": .number(width), "height": 400], "layout": layout,
                "prefetching": false,
            ])
    }

    private func path(_ answer: TestClient.Answer) throws -> String {
        "/api/v1/sessions/" + (try #require(answer.json["id"]?.string))
    }

    private func update(_ seq: Int, width: Int? = nil) -> JSON {
        var body: JSONObject = ["seq": .number(Double(seq)), "time": 0, "scrollTop": 2000]
        if let width { body["width"] = .number(Double(width)) }
        return .object(body)
    }

    @Test("other requests are served while a layout is built, and two sessions share the layout")
    func opening() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        async let first = open(port, Self.justified)
        await gated.catalog.shapes.arrival()
        async let second = open(port, Self.justified)
        #expect(try await call(port, "GET", "/healthz").status == 200)
        let other = try path(try await open(port, Self.grid))
        #expect(try await call(port, "POST", "\(other)/viewport", update(1)).status == 200)
        gated.catalog.shapes.open()
        let (one, two) = try await (first, second)
        #expect(one.status == 201 && two.status == 201)
        #expect(one.json["contentHeight"] == two.json["contentHeight"])
        #expect(one.json["contentHeight"]?.number ?? 0 > 0)
        #expect(gated.catalog.shapes.count == 1)
        await gated.stop()
    }

    @Test("updates use the old layout while a new one is built")
    func changing() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        let session = try path(try await open(port, Self.grid))
        let height = try await call(port, "GET", session).json["contentHeight"]
        async let changed = call(port, "PATCH", session, ["layout": Self.justified, "policy": "scroll-end"])
        await gated.catalog.shapes.arrival()
        let plan = try await call(port, "POST", "\(session)/viewport", update(1))
        #expect(plan.status == 200 && plan.json["seq"] == 1 && plan.json["contentHeight"] == height)
        #expect(try await call(port, "GET", session).json["layout"]?["kind"] == "grid")
        gated.catalog.shapes.open()
        let answer = try await changed
        #expect(answer.status == 200 && answer.json["layout"]?["kind"] == "justified")
        #expect(answer.json["contentHeight"] != height)
        #expect(answer.json["policy"] == "scroll-end" && answer.json["seq"] == 1)
        await gated.stop()
    }

    @Test("an update with a new width waits for its layout, and a later update does not")
    func resizing() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        let session = try path(try await open(port, Self.grid))
        let height = try await call(port, "GET", session).json["contentHeight"]
        async let changed = call(port, "PATCH", session, ["layout": Self.justified])
        await gated.catalog.shapes.arrival()
        async let wide = call(port, "POST", "\(session)/viewport", update(1, width: 900))
        try await gated.waiters(2)
        let next = try await call(port, "POST", "\(session)/viewport", update(2))
        #expect(next.status == 200 && next.json["seq"] == 2 && next.json["contentHeight"] == height)
        gated.catalog.shapes.open()
        let late = try await wide
        #expect(late.status == 200 && late.json["seq"] == 2 && late.json["contentHeight"] != height)
        let answer = try await changed
        #expect(answer.json["layout"]?["kind"] == "justified" && answer.json["viewport"]?["width"] == 900)
        await gated.stop()
    }

    @Test("a change of size during a change of layout keeps both")
    func overtaking() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        let session = try path(try await open(port, Self.grid))
        async let layout = call(port, "PATCH", session, ["layout": Self.justified])
        await gated.catalog.shapes.arrival()
        async let size = call(port, "PATCH", session, ["viewport": ["width": 777]])
        try await gated.waiters(2)
        gated.catalog.shapes.open()
        for answer in try await [layout, size] {
            #expect(answer.status == 200)
            #expect(answer.json["layout"]?["kind"] == "justified" && answer.json["viewport"]?["width"] == 777)
        }
        await gated.stop()
    }

    @Test("a server is not ready if one kind of its threads has stopped")
    func readiness() async throws {
        for kind in 0..<3 {
            let gated = try await GatedServer()
            #expect(try await call(gated.port, "GET", "/readyz").status == 200)
            gated.server.thumbnails.commonThreads[kind].shutdown()
            #expect(try await call(gated.port, "GET", "/readyz").status == 503)
            #expect(try await call(gated.port, "GET", "/healthz").status == 200)
            await gated.stop()
        }
    }

    @Test("other requests are served while items are looked up")
    func items() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        async let items = call(port, "GET", "/api/v1/galleries/gated/items?from=890&count=20")
        await gated.catalog.items.arrival()
        #expect(try await call(port, "GET", "/healthz").status == 200)
        #expect(try await open(port, Self.grid).status == 201)
        gated.catalog.items.open()
        #expect(try await items.json["items"]?.array?.count == 20)
        await gated.stop()
    }

    @Test(
        "other requests are served while a gallery's known facts are counted",
        arguments: ["/api/v1/galleries/counted", "/api/v1/galleries"])
    func counting(path: String) async throws {
        let gated = try await GatedServer()
        let port = gated.port
        var catalog = GatedCatalog()
        let gate = TestGate()
        catalog.counting = gate
        try gated.server.galleries.add(catalog, id: "counted")
        async let document = call(port, "GET", path)
        await gate.arrival()
        #expect(try await call(port, "GET", "/healthz").status == 200)
        gate.open()
        #expect(try await document.status == 200)
        await gated.stop()
    }

    @Test("a session scrolls while the facts of its visible items are read")
    func preferring() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        var catalog = GatedCatalog()
        catalog.isUnread = true
        try gated.server.galleries.add(catalog, id: "unread")
        let session = try path(try await open(port, Self.grid, gallery: "unread"))
        await catalog.facts.arrival()
        #expect(try await call(port, "POST", "\(session)/viewport", update(1)).status == 200)
        #expect(try await call(port, "GET", session).json["seq"] == 1)
        catalog.facts.open()
        await gated.stop()
    }

    @Test("opening a session gets 404 if its gallery is deleted meanwhile")
    func deleting() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        let catalog = GatedCatalog()
        let gallery = try gated.server.galleries.add(catalog, id: "doomed", madeBy: .local)
        async let opened = open(port, Self.justified, gallery: "doomed")
        await catalog.shapes.arrival()
        #expect(try await call(port, "DELETE", "/api/v1/galleries/doomed").status == 204)
        catalog.shapes.open()
        #expect(try await opened.status == 404)
        try await eventually("an unused gallery") { !gallery.isUsed }
        await gated.stop()
    }

    @Test("a stopping server refuses requests that wait for a layout")
    func stopping() async throws {
        let gated = try await GatedServer()
        let port = gated.port
        async let waiting = open(port, Self.justified)
        await gated.catalog.shapes.arrival()
        // The build of the layout is still held.
        async let stopped: Void = gated.server.shutdown()
        let answer = try await waiting
        #expect(answer.status == 503 && answer.header("retry-after") != nil)
        await stopped
        await gated.stop()
    }

    @Test("a stream without picture events looks up no pictures")
    func dashboard() async throws {
        let api = try await APIFixture()
        let session = try api.session(["prefetching": false])
        let events = try api.events(session)
        for _ in 0..<6 { _ = try events.next("thumbnail") }
        func found() throws -> Double {
            try ServerFigures(port: api.port).sum("cache_hits_total", ["tier": "memory"])
        }
        let before = try found()
        let path = try #require(session["events"]?.string)
        let dashboard = try EventReader(api.port, path + "?only=stats,progress")
        _ = try dashboard.next("stats")
        #expect(try found() == before)
        let page = try api.events(session)
        for _ in 0..<6 { _ = try page.next("thumbnail") }
        #expect(try found() == before + 6)
    }
}
