import Foundation
import MicroHTTP
import Numbers
import Synchronization
import TestSupport
import Testing

/// Watches handlers that block the server's only request thread.
@Suite(.timeLimit(.minutes(1)))
struct HandlerWatchTests {
    /// Clocks that advance only when a handler moves them.
    private final class ManualClocks: Sendable {
        private let passed = Atomic<Int64>(0)
        private let spent = Atomic<Int64>(0)

        /// Spends CPU time.
        func spend(milliseconds: Int64) {
            spent.add(milliseconds * 1_000_000, ordering: .sequentiallyConsistent)
            wait(milliseconds: milliseconds)
        }

        /// Waits without using the processor.
        func wait(milliseconds: Int64) { passed.add(milliseconds * 1_000_000, ordering: .sequentiallyConsistent) }

        var clocks: HandlerWatch.Clocks {
            HandlerWatch.Clocks(
                now: { .after(.nanoseconds(self.passed.load(ordering: .sequentiallyConsistent))) },
                cpuTime: { .nanoseconds(self.spent.load(ordering: .sequentiallyConsistent)) })
        }
    }

    private let clocks = ManualClocks()

    private func ask(_ port: UInt16, _ path: String) throws {
        let status = try get(port, path).status
        #expect(status == 200, "\(path)")
    }

    private var router: Router {
        let clocks = clocks
        var router = Router()
        router.on(.get, "/quick") { _ in .text("quick") }
        router.on(.get, "/slow/{n}") { _ in
            clocks.spend(milliseconds: 20)
            return .text("slow")
        }
        router.on(.get, "/later") { _ in
            .later {
                clocks.spend(milliseconds: 20)
                return Response(text: "later")
            }
        }
        router.on(.get, "/events") { _ in
            .stream(
                .events { stream in
                    clocks.spend(milliseconds: 20)
                    stream.close()
                })
        }
        return router
    }

    @Test("a handler over its time limit is reported with its route, unlike deferred work")
    func overrun() async throws {
        let (told, clocks) = (Recorder<String>(), clocks)
        try await serving(
            router,
            {
                $0.handlerClocks = clocks.clocks
                $0.handlerLimit = .milliseconds(10)
                $0.onHandlerOverrun = { told.add($0) }
            }
        ) { _, port in
            for path in ["/quick", "/later"] { try ask(port, path) }
            #expect(told.all.isEmpty)
            try ask(port, "/slow/1")
            #expect(told.wait(for: 1))
            try ask(port, "/events")
            #expect(told.wait(for: 2))
        }
        #expect(told.all.count == 2)
        #expect(told.all[0].contains("GET /slow/{n} took") && told.all[1].contains("GET /events took"))
    }

    @Test("a handler that waits for the processor is not reported")
    func waiting() async throws {
        let told = Recorder<String>()
        let clocks = clocks
        var router = Router()
        router.on(.get, "/") { _ in
            clocks.wait(milliseconds: 30)
            return .text("waited")
        }
        try await serving(
            router,
            {
                $0.handlerClocks = clocks.clocks
                $0.handlerLimit = .milliseconds(20)
                $0.onHandlerOverrun = { told.add($0) }
            }
        ) { _, port in try ask(port, "/") }
        #expect(told.all.isEmpty)
    }

    @Test("a thread's CPU time excludes that of other threads")
    func ownTime() async throws {
        let (mine, others) = try await onThread {
            let before = HandlerWatch.cpuTime
            let other = Promise<Duration>()
            Thread.detachNewThread {
                var random = SeededRandom(seed: 1)
                let began = HandlerWatch.cpuTime
                var sum: UInt64 = 0
                for _ in 0..<3_000_000 { sum &+= random.next() }
                other.fulfil(sum == 0 ? .zero : HandlerWatch.cpuTime - began)
            }
            let others = try other.wait()
            return (HandlerWatch.cpuTime - before, others)
        }
        #expect(mine < others)
    }

    @Test("the request record includes the time that handlers and the gate held the thread")
    func held() async throws {
        let (records, clocks) = (Recorder<RequestRecord>(), clocks)
        var router = router
        router.gate = { request in
            if request.path == "/quick" { clocks.wait(milliseconds: 6) }
            return nil
        }
        router.observer = { records.add($0) }
        try await serving(
            router,
            {
                $0.handlerClocks = clocks.clocks
                $0.handlerLimit = nil
            }
        ) { _, port in
            for path in ["/slow/1", "/quick"] { try ask(port, path) }
            #expect(records.wait(for: 2))
        }
        #expect(records.all.map(\.held) == [.milliseconds(20), .milliseconds(6)])
    }
}
