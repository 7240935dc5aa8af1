import CMicroHTTPD
import Glibc
import Terminal

/// Viewport updates of many pages, against one server or several.
final class UpdateLoad {
    struct Figures {
        /// Updates a second at most, and the server's CPU for each, in microseconds.
        var rate = 0.0
        var cpu = 0.0
        /// The part of the thread that answers, where it is known by name.
        var answering = 0.0
        var p50 = 0.0
        var p99 = 0.0
        var status: [Int: Int] = [:]
        /// To each answer.
        var times = Durations()
    }

    let loop: LoadLoop
    private let servers: [BenchServer]
    private let pages: [ScrollingPage]
    /// Answers of the first updates, to have others give the same.
    private(set) var plans: [[UInt8]] = []
    private static let keptPlans = 4000
    private static let answeringThread = MICRO_THREAD

    convenience init(_ loop: LoadLoop, _ server: BenchServer, sessions: [String]) throws {
        try self.init(loop, [(server, sessions)])
    }

    /// - Parameter servers: each with its sessions.
    init(_ loop: LoadLoop, _ servers: [(server: BenchServer, sessions: [String])]) throws {
        self.loop = loop
        self.servers = servers.map(\.server)
        pages = try servers.flatMap { server, sessions in
            try sessions.enumerated().map { number, session in
                ScrollingPage(
                    try LoadClient(loop, port: server.port), session: session, top: 1e6 * Double(1 + number))
            }
        }
    }

    /// CPU seconds so far of all servers, and of their threads that answer.
    private var cpu: Double { servers.reduce(0) { $0 + $1.figures.seconds } }
    private var answeringCPU: Double { servers.reduce(0) { $0 + $1.cpu(ofThread: Self.answeringThread) } }

    /// As many updates as the server answers, each page posting the next one when it has the answer to the last.
    func saturate(seconds: Double) -> Figures {
        var durations = Durations()
        var figures = Figures()
        let end = LoadLoop.now + Int64(seconds * 1e9)
        var running = 0
        func post(_ page: ScrollingPage) {
            let sent = LoadLoop.now
            guard sent < end else { return running -= 1 }
            page.update { [self] answer in
                durations.add(LoadLoop.now - sent)
                figures.status[answer?.status ?? 0, default: 0] += 1
                if plans.count < Self.keptPlans, let answer, answer.status == 200 { plans.append(answer.body) }
                if answer == nil { running -= 1 } else { post(page) }
            }
        }
        let (cpu, answering) = (cpu, answeringCPU)
        let began = LoadLoop.now
        for page in pages {
            running += 1
            post(page)
        }
        loop.run(seconds: seconds + 10) { running == 0 }
        figures.rate = Double(durations.count) / (Double(LoadLoop.now - began) / 1e9)
        let count = Double(max(1, durations.count))
        figures.cpu = 1e6 * (self.cpu - cpu) / count
        figures.answering = 1e6 * (answeringCPU - answering) / count
        (figures.p50, figures.p99) = (durations.milliseconds(at: 0.5), durations.milliseconds(at: 0.99))
        return figures
    }

    /// Updates at a steady rate, timed from when they were due.
    ///
    /// - Parameter isMeant: of those due now, which count.
    func pace(rate: Double, seconds: Double, isMeant: @escaping () -> Bool = { true }) -> Figures {
        var durations = Durations()
        var figures = Figures()
        var idle = pages
        let interval = Int64(1e9 / max(1, rate))
        var due = LoadLoop.now
        let end = due + Int64(seconds * 1e9)
        var running = 0
        func pump() {
            while due <= LoadLoop.now, due < end, let page = idle.popLast() {
                let sent = due
                due += interval
                running += 1
                let counts = isMeant()
                page.update { answer in
                    running -= 1
                    if counts { durations.add(LoadLoop.now - sent) }
                    figures.status[answer?.status ?? 0, default: 0] += 1
                    idle.append(page)
                    pump()
                }
            }
        }
        let cpu = cpu
        func tick() {
            pump()
            if due < end { loop.at(max(due, LoadLoop.now + 20_000), tick) }
        }
        tick()
        loop.run(seconds: seconds + 10) { due >= end && running == 0 }
        figures.rate = rate
        figures.cpu = 1e6 * (self.cpu - cpu) / max(1, rate * seconds)
        figures.times = durations
        (figures.p50, figures.p99) = (durations.milliseconds(at: 0.5), durations.milliseconds(at: 0.99))
        return figures
    }

    /// Opens sessions of a gallery, some at once.
    static func open(
        _ loop: LoadLoop, _ server: BenchServer, count: Int, gallery: String, body: String
    ) throws -> [String] {
        var ids: [String] = []
        var left = count
        var failures = 0
        let request = "{\"gallery\":\"\(gallery)\",\(body)}"
        func next(_ client: LoadClient) {
            guard left > 0 else { return }
            left -= 1
            client.ask("POST", "/api/v1/sessions", request) { answer in
                if let answer, answer.status == 201, let id = answer.text("id") {
                    ids.append(id)
                } else {
                    failures += 1
                }
                next(client)
            }
        }
        let clients = try (0..<min(16, count)).map { _ in try LoadClient(loop, port: server.port) }
        for client in clients { next(client) }
        loop.run(seconds: 120) { ids.count + failures == count }
        for client in clients { client.leave() }
        guard ids.count == count else { throw CommandFailure("only \(ids.count) of \(count) sessions opened") }
        return ids
    }
}
