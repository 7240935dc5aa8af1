import TaskPool

struct Loader: TaskRunning {
    func run(_ ticket: Ticket<String>, carrying work: String?) async -> StageOutcome<String> {
        switch ticket.stage {
        case .store: .advance(to: .fetch, carrying: "nothing kept")  // look into your cache
        case .fetch: .advance(to: .render, carrying: "bytes of \(ticket.key)")  // download
        case .render: .ready("thumbnail of the \(work ?? "")")  // decode and scale
        }
    }
}

let (finished, continuation) = AsyncStream.makeStream(of: String.self)
let pool = TaskPool(runner: Loader()) { key, _, result in continuation.yield("\(key): \(result)") }
pool.want(
    [PoolWant(key: "a.jpg", visible: true), PoolWant(key: "b.jpg", visible: false)], session: SessionID(1))
for await line in finished.prefix(2) { print(line) }
await pool.shutdown()
