import Gallery
import Logging
import MicroHTTP
import Synchronization

/// Counts requests and measures their duration, by route. Routes are patterns, so there are few.
final class RequestMeter: Sendable {
    private struct Route: Hashable, Comparable {
        var route: String
        var method: String

        static func < (a: Route, b: Route) -> Bool { (a.route, a.method) < (b.route, b.method) }
    }

    private struct Requests: Sendable {
        var byStatus: [Int: Int] = [:]
        var times = Histogram()
        var slowHandlers = 0

        mutating func add(_ record: RequestRecord) {
            if record.held > RequestMeter.slow { slowHandlers += 1 }
            byStatus[record.status, default: 0] += 1
            times.add(record.duration)
        }
    }

    /// Maximum time for which a handler should block the request thread. Typical handlers need microseconds.
    static let slow = Duration.milliseconds(5)

    private let requests = Mutex<[Route: Requests]>([:])

    func record(_ record: RequestRecord) {
        let route = Route(route: record.route.isEmpty ? "other" : record.route, method: record.method?.rawValue ?? "")
        requests.withLock { requests in
            requests[route, default: Requests()].add(record)
        }
    }

    var metrics: [Metric] {
        var count = Metric(
            "requests_total", .counter, "Requests that ended, by status; 0 if the client disconnected first.")
        var seconds = Metric(
            "request_seconds", .histogram,
            "Time from the head of a request to the end of its response; for streams, to the start.")
        var slow = Metric(
            "slow_handlers_total", .counter, "Requests whose handler blocked all others for more than 5 ms.")
        for (key, value) in requests.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            for (status, number) in value.byStatus.sorted(by: { $0.key < $1.key }) {
                count = count.with(number, ("method", key.method), ("route", key.route), ("status", String(status)))
            }
            seconds = seconds.with(value.times, ("method", key.method), ("route", key.route))
            slow = slow.with(value.slowHandlers, ("method", key.method), ("route", key.route))
        }
        return [count, seconds, slow]
    }
}

/// Logs each request in a structured line at debug level. Responses with status 500, which should never occur, are logged at error level.
struct RequestLog: Sendable {
    let logger: Logger
    let proxies: TrustedProxies

    func record(_ record: RequestRecord) {
        let level: Logger.Level = record.status == 500 ? .error : .debug
        guard logger.logLevel <= level else { return }
        var metadata: Logger.Metadata = [
            "id": "\(id(of: record))", "method": "\(record.method?.rawValue ?? "-")",
            "route": "\(record.route.isEmpty ? "-" : record.route)", "status": "\(record.status)",
            "ms": "\((record.duration / .microseconds(1)).rounded() / 1000)",
        ]
        if let request = record.request { metadata["client"] = "\(proxies.client(of: request))" }
        logger.log(level: level, "request", metadata: metadata)
    }

    /// Returns the request id from a trusted proxy, so that both logs have the same id. Otherwise returns the server's own number.
    private func id(of record: RequestRecord) -> String {
        guard let request = record.request, proxies.sent(request), let given = request.header("X-Request-ID"),
            (1...Self.maxLength).contains(given.utf8.count),
            given.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") })
        else { return String(record.number) }
        return given
    }

    private static let maxLength = 128
}
