import Foundation
import Glibc
import Numbers
import Terminal

/// Servers that share through a real Redis, and viewers who ask any of them for any picture, while servers and Redis are killed,
/// frozen, stopped and started again at random. Each viewer gets each picture, the same from every server.
final class NodeSoak {
    struct Counts {
        var pictures = 0
        /// Requests that were asked again of another server, because theirs had gone.
        var again = 0
        var serversKilled = 0
        var serversStopped = 0
        var redisKilled = 0
        var redisFrozen = 0
    }

    /// Milliseconds in which a viewer has a picture, whatever happens.
    static let patience = 30_000.0
    private static let viewers = 12
    private static let pictures = 400
    private static let widths = 8
    /// Milliseconds in which all is shared again.
    private static let returns = 5_000.0
    /// Milliseconds after which Redis knows nothing any more of servers that were killed.
    private static let forgotten = 65_000.0

    private let loop = LoadLoop()
    private let redis: SoakRedis
    private let origin: BenchServer
    private let folder: URL
    private let list: URL
    private var nodes: [BenchServer?]
    private var random = SeededRandom(seed: 1)
    private var isEnding = false
    private var busy = 0
    /// By picture and width, what the first server answered.
    private var seen: [String: [UInt8]] = [:]
    private(set) var counts = Counts()
    private(set) var waits = Durations()
    private(set) var problems: [String] = []

    init(nodes count: Int) throws {
        redis = try SoakRedis()
        let origin = try BenchServer.own(["origin", "--latency", "20"])
        self.origin = origin
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lookahead-nodes-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        list = folder.appendingPathComponent("list.txt")
        let lines = (0..<Self.pictures).map { "http://127.0.0.1:\(origin.port)/240x160?text=food+\($0)\n" }
        try Data(lines.joined().utf8).write(to: list)
        nodes = Array(repeating: nil, count: count)
        for place in 0..<count { try start(place) }
    }

    private func start(_ place: Int) throws {
        nodes[place] = try .lookahead([
            "serve", list.path, "--port", "0", "--cache-directory", "none", "--memory-cache", "0", "--log-level",
            "critical",
            "--redis", "redis://127.0.0.1:\(redis.port)", "--node", "n\(place)", "--allow-origin",
            "127.0.0.1:\(origin.port)", "--render-workers", "1",
        ])
    }

    private func fail(_ problem: String) { if problems.count < 20 { problems.append(problem) } }

    // MARK: Running

    /// - Parameter onSecond: told each second, from the first on, which it is.
    func run(seconds: Double, onSecond: @escaping (Int) -> Void) throws -> [String] {
        defer {
            for node in nodes { node?.stop() }
            origin.stop()
            redis.kill()
            try? FileManager.default.removeItem(at: folder)
        }
        for _ in 0..<Self.viewers { look() }
        var second = 0
        func tick() {
            second += 1
            onSecond(second)
            if !isEnding { loop.after(milliseconds: 1000, tick) }
        }
        loop.after(milliseconds: 1000, tick)
        loop.after(milliseconds: 500, disturb)
        loop.run(seconds: seconds) { !problems.isEmpty }
        isEnding = true
        if !loop.run(seconds: Self.patience / 1000 + 5, until: { busy == 0 }) { fail("\(busy) pictures never came") }
        // Undoes the last disturbance.
        loop.run(seconds: 4)
        guard problems.isEmpty else { return problems }
        try checkSharing()
        try checkCounts()
        return problems
    }

    /// One viewer: a picture, then the next.
    private func look() {
        guard !isEnding else { return }
        busy += 1
        ask(random.below(Self.pictures), width: 96 + 8 * random.below(Self.widths), since: LoadLoop.now) { [self] in
            busy -= 1
            loop.after(milliseconds: Double(random.below(20)), look)
        }
    }

    private func ask(_ item: Int, width: Int, since: Int64, _ then: @escaping () -> Void) {
        let waited = Double(LoadLoop.now - since) / 1e6
        guard waited < Self.patience else {
            fail("picture \(item) did not come within \(Int(Self.patience)) ms")
            return then()
        }
        let alive = nodes.compactMap { $0 }
        guard !alive.isEmpty, let client = try? LoadClient(loop, port: alive[random.below(alive.count)].port) else {
            return loop.after(milliseconds: 50) { [self] in ask(item, width: width, since: since, then) }
        }
        let path = "/api/v1/galleries/list/items/\(item)/thumbnail?width=\(width)"
        client.ask("GET", path) { [self] answer in
            client.leave()
            // Its server has gone, or is about to.
            guard let answer, answer.status != 503 else {
                counts.again += 1
                return loop.after(milliseconds: 20) { [self] in ask(item, width: width, since: since, then) }
            }
            waits.add(LoadLoop.now - since)
            counts.pictures += 1
            let key = "\(item) \(width)"
            if answer.status != 200 || !answer.body.starts(with: [0xFF, 0xD8]) {
                fail("picture \(key) was answered \(answer.status)")
            } else if seen[key, default: answer.body] != answer.body {
                fail("picture \(key) is another than before")
            }
            seen[key] = answer.body
            then()
        }
    }

    // MARK: Disturbing

    private func disturb() {
        guard !isEnding else { return }
        switch random.below(5) {
        case 0...2: endNode(by: random.below(3) == 0 ? SIGTERM : SIGKILL)
        case 3 where redis.isRunning:
            counts.redisKilled += 1
            redis.kill()
            loop.after(milliseconds: Double(200 + random.below(2_000))) { [self] in
                do { try redis.start() } catch { fail("\(error)") }
            }
        default:
            guard redis.isRunning else { break }
            counts.redisFrozen += 1
            redis.signal(SIGSTOP)
            loop.after(milliseconds: Double(200 + random.below(1_500))) { [self] in
                if redis.isRunning { redis.signal(SIGCONT) }
            }
        }
        loop.after(milliseconds: Double(600 + random.below(1_800)), disturb)
    }

    private func endNode(by signal: Int32) {
        let place = random.below(nodes.count)
        guard let node = nodes[place] else { return }
        nodes[place] = nil
        node.signal(signal)
        if signal == SIGTERM { counts.serversStopped += 1 } else { counts.serversKilled += 1 }
        loop.after(milliseconds: Double(300 + random.below(1_500))) { [self] in
            let status = node.wait()
            if signal == SIGTERM, status != 0 { fail("a server that was told to stop ended with status \(status)") }
            do { try start(place) } catch { fail("\(error)") }
        }
    }

    // MARK: Adding up

    /// A picture that nobody has seen is made by one server for all.
    private func checkSharing() throws {
        let servers = nodes.compactMap { $0 }
        let began = LoadLoop.now
        while try metrics(servers).contains(where: { $0["shared_servers"] != 1 }) {
            guard Double(LoadLoop.now - began) / 1e6 < Self.returns else { return fail("Redis is back and not used") }
            loop.run(seconds: 0.1)
        }
        func sum(_ name: String, _ label: String) throws -> Double {
            try metrics(servers).reduce(0) { $0 + $1[name, label] }
        }
        let (led, hits) = (try sum("shared_claims_total", "\"led\""), try sum("shared_claims_total", "\"hit\""))
        let alone = try sum("shared_claims_total", "\"alone\"")
        for server in servers {
            for item in 0..<10 {
                let path = "/api/v1/galleries/list/items/\(item)/thumbnail?width=333"
                let answer = try loop.ask(server.port, "GET", path)
                if answer.status != 200 { fail("picture \(item) was answered \(answer.status)") }
            }
        }
        if try sum("shared_claims_total", "\"led\"") != led + 10 { fail("a picture was made more than once") }
        let expected = hits + Double(10 * (servers.count - 1))
        if try sum("shared_claims_total", "\"hit\"") != expected { fail("a picture was not found") }
        if try sum("shared_claims_total", "\"alone\"") != alone { fail("a picture was made alone") }
    }

    private func metrics(_ servers: [BenchServer]) throws -> [SoakMetrics] {
        try servers.map {
            SoakMetrics(String(decoding: try loop.ask($0.port, "GET", "/metrics").body, as: UTF8.self))
        }
    }

    /// Nothing is under way any more, in any server or in Redis, and each server's counts agree.
    private func checkCounts() throws {
        let servers = nodes.compactMap { $0 }
        let began = LoadLoop.now
        while true {
            let left = try metrics(servers).flatMap(\.unsettled) + redis.keys("*:f") + redis.keys("*:w")
            if left.isEmpty { break }
            // A killed server stays on the list of waiters of a key for a minute.
            guard Double(LoadLoop.now - began) / 1e6 < Self.forgotten else {
                return fail("still under way: \(left.prefix(10).joined(separator: ", "))")
            }
            loop.run(seconds: 0.25)
        }
        for (place, one) in try metrics(servers).enumerated() {
            func same(_ what: String, _ told: Double, _ expected: Double) {
                if told != expected { fail("server \(place), \(what): \(told.text(0)), not \(expected.text(0))") }
            }
            same("tasks ended", one["tasks_total"], one["tasks_created_total"])
            same(
                "pictures rendered", one["render_seconds_count"] + one["render_failures_total"],
                one["stages_started_total", "stage=\"render\""])
            same("servers known", one["shared_nodes"], Double(nodes.count))
            same("answers of others' making", one["shared_foreign_total"], 0)
            let made = one["shared_claims_total", "\"led\""] + one["shared_claims_total", "\"alone\""]
            if one["render_seconds_count"] > made { fail("server \(place) has rendered what it did not claim") }
        }
    }
}
