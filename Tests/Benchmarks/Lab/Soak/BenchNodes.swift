import ArgumentParser
import Gallery
import Replay
import Terminal

/// Servers that share, killed and stopped at random together with their Redis, and what must hold all the same.
struct BenchNodes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes", abstract: "Kill sharing servers and their Redis at random for some minutes.",
        discussion: """
            Needs redis-server and redis-cli. Viewers ask any server for any picture. Fails if a picture does not \
            arrive, if it differs between servers, if it is made twice after all servers are back, if a server does \
            not stop cleanly, or if the counts in /metrics do not add up.
            """)

    @Option(BoundedNumber("minutes", "Duration", unit: "minutes", default: 5.0, in: 0.05...1440)) var minutes: Double
    @Option(BoundedNumber("servers", "Servers at once", unit: "servers", default: 3, in: 2...16)) var servers: Int

    func run() throws {
        let soak = try NodeSoak(nodes: servers)
        let progress = ProgressReport("Soaking", unit: "s")
        let problems = try soak.run(seconds: minutes * 60) { progress.update($0, of: Int(minutes * 60)) }
        progress.end()
        let counts = soak.counts
        var table = TextTable(["", ""])
        table.add(["pictures", "\(counts.pictures), \(counts.again) requests asked again of another server"])
        table.add(["servers", "\(counts.serversKilled) killed, \(counts.serversStopped) stopped"])
        table.add(["Redis", "\(counts.redisKilled) times killed, \(counts.redisFrozen) frozen"])
        let times = [0.5, 0.99, 1].map { soak.waits.milliseconds(at: $0).text(0) }.joined(separator: ", ")
        table.add(["ms to a picture: median, 99%, longest", times])
        print(table.text)
        guard problems.isEmpty else { throw CommandFailure(problems.joined(separator: "; ")) }
    }
}
