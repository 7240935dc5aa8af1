import Catalog
import Dispatch
import Gallery
import Glibc
import JSON
import Logging
import Synchronization

/// Runs a server until a signal stops it.
enum Running {
    /// A server of these settings, which logs to standard error.
    ///
    /// - Throws: where the settings cannot be used as they are.
    static func server(_ effective: ServerOptions.Effective, demo: DemoOrigin? = nil) throws -> GalleryServer {
        if let folder = effective.settings.cacheDirectory { try Installation.prepareCache(folder) }
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = effective.logLevel
            return handler
        }
        return try GalleryServer(settings: effective.settings, demo: demo, logger: Logger(label: "lookahead"))
    }

    static func printSettings(_ effective: ServerOptions.Effective) {
        let members = effective.document.members.map { member in
            "  \(JSON.string(member.name).text): \(member.value.text)"
        }
        print("{\n\(members.joined(separator: ",\n"))\n}")
    }

    /// Serves until SIGINT or SIGTERM, then stops gracefully. A second signal exits at once.
    static func serve(_ server: GalleryServer, then stopOthers: () async -> Void = {}) async throws {
        let signals = StopSignals()
        let port: UInt16
        do {
            port = try await server.start()
        } catch {
            await stopOthers()
            throw Failure("\(error)")
        }
        // Scripts wait for this line; it must not linger in a buffer.
        let host = server.settings.host.contains(":") ? "[\(server.settings.host)]" : server.settings.host
        print("Listening on http://\(host):\(port)")
        fflush(nil)
        await signals.first()
        await server.shutdown()
        await stopOthers()
        withExtendedLifetime(signals) {}
    }

    /// An error whose text is for a person: one line on standard error, status 1.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

extension JSON {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// SIGINT and SIGTERM as something to wait for. The second one exits at once, with 128 and the signal's number, as shells
/// tell of a signal.
struct StopSignals {
    private let stream: AsyncStream<Void>
    /// Kept alive as long as the signals are wanted.
    private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.stream = stream
        let count = Count()
        // A queue of its own has a thread whenever it needs one; the global ones wait until those of all tasks are free.
        let queue = DispatchQueue(label: "signals", qos: .userInitiated)
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard count.value.add(1, ordering: .relaxed).oldValue == 0 else { _exit(128 + number) }
                continuation.yield()
            }
            source.resume()
            return source
        }
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    /// Returns at the first signal.
    func first() async {
        for await _ in stream { break }
    }
}
