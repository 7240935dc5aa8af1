import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MicroHTTP

/// The watch over handlers that hold the server's one thread for requests.
@Suite(.timeLimit(.minutes(1)))
struct HandlerWatchTests {
    private static func time(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Takes so much time of a clock, however loaded the machine.
    private static func spend(milliseconds: Int64, of clock: clockid_t) {
        let end = time(clock) + milliseconds * 1_000_000
        while time(clock) < end {}
    }

    private func ask(_ port: UInt16, _ path: String) throws {
        let status = try get(port, path).status
        #expect(status == 200, "\(path)")
    }

    private var router: Router {
        var router = Router()
        router.on(.get, "/quick") { _ in .text("quick") }
        router.on(.get, "/slow/{n}") { _ in
            Self.spend(milliseconds: 20, of: CLOCK_THREAD_CPUTIME_ID)
            return .text("slow")
        }
        router.on(.get, "/later") { _ in
            .later {
                Self.spend(milliseconds: 20, of: CLOCK_THREAD_CPUTIME_ID)
                return Response(text: "later")
            }
        }
        router.on(.get, "/events") { _ in
            .events { stream in
                Self.spend(milliseconds: 20, of: CLOCK_THREAD_CPUTIME_ID)
                stream.close()
            }
        }
        return router
    }

    @Test("a handler that computes for longer than the limit is told by its route; what is done later is not")
    func overrun() async throws {
        let told = Recorder<String>()
        try await serving(
            router,
            {
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

    @Test("a handler that is kept waiting by a loaded machine is not told: its CPU time counts")
    func waiting() async throws {
        let told = Recorder<String>()
        var router = Router()
        router.on(.get, "/") { _ in
            // Another thread has the processor meanwhile.
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.spend(milliseconds: 30, of: CLOCK_MONOTONIC)
                done.signal()
            }
            done.wait()
            return .text("waited")
        }
        try await serving(
            router,
            {
                $0.handlerLimit = .milliseconds(20)
                $0.onHandlerOverrun = { told.add($0) }
            }
        ) { _, port in try ask(port, "/") }
        #expect(told.all.isEmpty)
    }

    @Test("how long handlers held the thread is told with each request that ends, the gate's time included")
    func held() async throws {
        let records = Recorder<RequestRecord>()
        var router = router
        router.gate = { request in
            if request.path == "/quick" { Self.spend(milliseconds: 6, of: CLOCK_MONOTONIC) }
            return nil
        }
        router.observer = { records.add($0) }
        try await serving(router, { $0.handlerLimit = nil }) { _, port in
            for path in ["/slow/1", "/quick"] { try ask(port, path) }
            #expect(records.wait(for: 2))
        }
        #expect(records.all[0].held >= .milliseconds(20))
        #expect(records.all[1].held >= .milliseconds(6))
        for record in records.all { #expect(record.held <= record.duration) }
    }
}
