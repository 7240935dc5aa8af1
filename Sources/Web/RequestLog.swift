import Logging
import MicroHTTP

/// One structured line for each request, at debug level; each server error, which should never be, at error level.
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

    /// The id that a trusted proxy gave the request, so that its log and this one agree; else a number of our own.
    private func id(of record: RequestRecord) -> String {
        guard let request = record.request, proxies.sent(request), let given = request.header("X-Request-ID"),
            (1...Self.maxLength).contains(given.utf8.count),
            given.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") })
        else { return String(record.number) }
        return given
    }

    private static let maxLength = 128
}
