import CLinux
import Catalog
import Demo
import Fetch
import Gallery
import Glibc
import Logging
import Terminal
import Web

/// Runs a server until a signal stops it.
enum Running {
    /// Returns a server with these settings that logs to standard error.
    ///
    /// - Throws: if the settings cannot be used as given.
    static func server(_ settings: Settings, origin: DemoOrigin? = nil) throws -> GalleryServer {
        StopSignals.ignoreHangups()
        if let folder = settings.cacheDirectory { try Installation.prepareCache(folder) }
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler(label: label, stream: ErrorLines())
            handler.logLevel = settings.logLevel
            return handler
        }
        return try GalleryServer(settings: settings, origin: origin, logger: Logger(label: "lookahead"))
    }

    /// Serves until SIGINT or SIGTERM, then stops gracefully. A second signal exits immediately. SIGHUP re-reads the list files.
    static func serve(
        _ server: GalleryServer, opensBrowser: Bool = false, then stopOthers: () async -> Void = {}
    ) async throws {
        ReturnLargeBlocks()
        let signals = StopSignals()
        let port: UInt16
        do {
            port = try await server.start()
        } catch {
            await stopOthers()
            throw CommandFailure("\(error)")
        }
        if opensBrowser { Browser.open(address(reachable(server.settings.host), port), warn: warn) }
        // Scripts wait for this line, so it must not stay in a buffer.
        print("Listening on \(address(server.settings.host, port))")
        if let elsewhere = networkAddress(whenListeningOn: server.settings.host) {
            print("On another device, open \(address(elsewhere, port))/?token=TOKEN; anyone with the token has access")
        }
        fflush(nil)
        let rereading = Task {
            for await _ in signals.hangups { for gallery in server.galleries.all { gallery.source?.readAgain() } }
        }
        await signals.first()
        rereading.cancel()
        await server.shutdown()
        await stopOthers()
    }
}

extension Running {
    private static func address(_ host: String, _ port: UInt16) -> String {
        "http://\(Authority(host: host, port: port))"
    }

    /// Returns an address that reaches a server on this machine, also if the server listens on all addresses.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    /// Returns this machine's address in its network if the server listens on all addresses, otherwise `nil`.
    private static func networkAddress(whenListeningOn host: String) -> String? {
        guard reachable(host) != host else { return nil }
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = interface.ifa_addr, address.pointee.sa_family == AF_INET else { continue }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if !text.hasPrefix("127.") && !text.hasPrefix("169.254.") { return text }
        }
        return nil
    }

    @Sendable static func warn(_ text: String) { ErrorLines().write("lookahead: \(text)") }
}
