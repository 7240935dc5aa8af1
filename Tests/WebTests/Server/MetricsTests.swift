import Foundation
import Gallery
import JSON
import TestSupport
import Testing
import Web

@Suite(.serialized, .timeLimit(.minutes(2)))
struct MetricsTests {
    @Test("the metrics of tasks, sessions and requests add up")
    func counts() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        let events = try api.events(session)
        // The last of the visible and prefetched pictures is broken.
        var thumbnails = 0
        while thumbnails < 6 { if try events.next().name == "thumbnail" { thumbnails += 1 } }
        try api.post(session, seq: 1, scrollTop: 360)
        _ = try events.next("failed")
        _ = try api.call("GET", "galleries/none")
        let other = try api.session()
        #expect(try api.call("DELETE", "sessions/\(APIFixture.id(other))").status == 204)
        _ = try api.call("GET", "galleries/pictures/items/0/thumbnail")

        let figures = try ServerFigures(port: api.port)
        func value(_ name: String, _ labels: [String: String] = [:]) -> Double { figures.sum(name, labels) }
        #expect(value("sessions") == 1)
        #expect(value("sessions_opened_total") == 2)
        #expect(value("sessions_ended_total") == 1)
        #expect(value("streams") == 1)
        #expect(
            value("tasks_created_total")
                == value("tasks_total") + value("tasks_queued") + value("tasks_running") - value("tasks_aborting")
                + value("tasks_resting"))
        #expect(value("tasks_total", ["result": "ready"]) >= 6)
        #expect(value("tasks_total", ["result": "failed"]) >= 1)
        #expect(value("render_seconds_count") >= 6)
        #expect(value("render_failures_total") >= 1)
        #expect(value("cache_misses_total") >= 6)
        #expect(value("cells_shown_total") >= 12)
        #expect(value("visible_cell_seconds_total") >= value("blank_cell_seconds_total"))
        let route = "/api/v1/galleries/{g}"
        #expect(value("requests_total", ["route": route, "status": "404", "method": "GET"]) == 1)
        #expect(value("request_seconds_count", ["route": route, "method": "GET"]) == 1)
        #expect(value("requests_total") == value("request_seconds_count"))
        #expect(value("requests_in_flight") >= 1)
        let requests = figures.document["request_seconds"]?.array?.first
        #expect(requests?["buckets"]?.array?.count == Histogram.bounds.count)
    }

    @Test("the counts of ended sessions stay in the metrics")
    func endedSessions() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        for seq in 1...4 { try api.post(session, seq: seq, scrollTop: Double(seq) * 180) }
        let before = try ServerFigures(port: api.port)
        #expect(try api.call("DELETE", "sessions/\(APIFixture.id(session))").status == 204)
        let after = try ServerFigures(port: api.port)
        #expect(after.sum("sessions") == 0)
        for name in ["visible_cell_seconds_total", "blank_cell_seconds_total", "cells_shown_total"] {
            #expect(before.sum(name) > 0, "\(name)")
            #expect(after.sum(name) >= before.sum(name), "\(name)")
        }
    }

    static let hasClient =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") && run("import prometheus_client") == 0

    static func run(_ script: String, _ arguments: String...) -> Int32 {
        guard let child = try? Child("/usr/bin/python3", ["-c", script] + arguments) else { return -1 }
        return child.wait()
    }

    @Test(
        "Prometheus's parser reads the same metrics from /metrics as in /api/v1/stats",
        .enabled(if: hasClient, "needs Python's prometheus_client"))
    func ownParser() async throws {
        let api = try await APIFixture()
        _ = try api.session()
        let folder = try TemporaryFolder()
        let answer = try get(api.port, "/metrics")
        #expect(answer.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        let (text, stats) = (
            try folder.write("metrics", answer.body), try folder.write("stats", try get(api.port, "/api/v1/stats").body)
        )
        let script = """
            import json, sys
            from prometheus_client.parser import text_string_to_metric_families
            families = list(text_string_to_metric_families(open(sys.argv[1]).read()))
            assert all(family.samples for family in families) and len(families) > 20
            names = {"lookahead_" + name.removesuffix("_total") for name in json.load(open(sys.argv[2]))}
            assert names == {family.name for family in families}, names ^ {family.name for family in families}
            """
        #expect(Self.run(script, text, stats) == 0)
    }

    static let checker = ["/usr/bin/promtool", "/usr/local/bin/promtool"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(
        "promtool accepts the metrics", .enabled(if: checker != nil, "needs promtool, of Debian's prometheus")
    )
    func promtool() async throws {
        let api = try await APIFixture()
        _ = try api.session()
        let child = try Child(
            try #require(Self.checker), ["check", "metrics"], input: try get(api.port, "/metrics").body)
        #expect(child.wait() == 0)
        #expect(child.standardError().isEmpty)
    }

    @Test("a duration is counted in every bucket it fits")
    func histogram() {
        var histogram = Histogram()
        for milliseconds in [0.5, 3, 3, 70_000] { histogram.add(.milliseconds(milliseconds)) }
        let counts = Dictionary(uniqueKeysWithValues: histogram.cumulative.map { ($0.bound, $0.count) })
        #expect(counts[0.0005] == 1)
        #expect(counts[0.0025] == 1)
        #expect(counts[0.005] == 3)
        #expect(counts[10] == 3)
        #expect(histogram.count == 4)
    }

    @Test("label values are escaped")
    func escaping() {
        let text = [Metric("x_total", .counter, "Help.").with(1, ("route", "a\"b\\c\nd"))].prometheusText
        #expect(String(decoding: text, as: UTF8.self).contains(#"lookahead_x_total{route="a\"b\\c\nd"} 1"#))
    }

    @Test("requests are logged at debug level with the id and client address of a trusted proxy")
    func requestLog() async throws {
        let api = try await APIFixture(["--log-level", "debug", "--trusted-proxy", "127.0.0.1"])
        _ = try get(api.port, "/healthz", headers: "X-Request-ID: abc-123\r\nX-Forwarded-For: 192.0.2.9\r\n")
        _ = try get(api.port, "/api/v1/galleries/none")
        #expect(api.server.stop() == 0)
        let lines = api.server.child.standardError().split(separator: "\n")
        let health = try #require(lines.first { $0.contains("route=/healthz") })
        for part in ["debug", "id=abc-123", "client=192.0.2.9", "method=GET", "status=200", "ms="] {
            #expect(health.contains(part), "\(part) in \(health)")
        }
        #expect(lines.contains { $0.contains("status=404") && $0.contains("route=/api/v1/galleries/{g}") })
    }
}
