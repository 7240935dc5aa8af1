import Fetch
import Media

extension Setting {
    /// The table of settings, by section. ``Settings`` has the defaults.
    public static let groups: [any SettingGroup.Type] = [
        AccessSettings.self, ViewerSettings.self, DownloadSettings.self, RenderSettings.self, StoreSettings.self,
        NodeSettings.self, GallerySettings.self, ProgramSettings.self,
    ]
}

public enum AccessSettings: SettingGroup {
    public static let title = "Network and access"

    public static var flags: [Setting] {
        Setting(
            "host", "Address to listen on; any address but loopback needs a token", .text,
            standard: Settings.standard.host
        ) { reader, settings in
            settings.host = reader.text("host") ?? settings.host
        }
        number("port", \.port, 0...65_535, "", "Port to listen on; 0 lets the system pick one")
        text(
            "token", "Secret that gives people and scripts access, at least \(AccessToken.minLength) characters", .text)
        text(
            "token-file", "File that holds only the token; unlike a flag, other users of this machine cannot see it",
            .file)
        text(
            "view-token-file",
            "File with a second token for viewers: they can look and scroll, and change only their own sessions",
            .file)
        list(
            "allow-host", \.allowedHosts,
            "Host name under which the server is reached, behind a proxy or in a local network")
        list(
            "trusted-proxy", \.trustedProxies,
            "Address or network of a proxy whose X-Forwarded headers are trusted")
        list(
            "embed-origin", \.embedOrigins,
            "Origin whose pages may embed galleries, such as https://blog.example")
    }
}

public enum ViewerSettings: SettingGroup {
    public static let title = "Viewers and scripts"

    public static var flags: [Setting] {
        number(
            "max-connections", \.maxConnections, 8...100_000, "connections",
            "Maximum number of connections open at once")
        number("max-sessions", \.maxSessions, 1...100_000, "sessions", "Maximum number of sessions open at once")
        number(
            "session-grace", \.sessionGrace, 1...86_400, "seconds", "Time a session stays open without an event stream")
        number(
            "max-updates", \.maxUpdates, 1...100_000, "updates a second",
            "Maximum number of viewport updates of one session a second")
        number(
            "request-timeout", \.requestTimeout, 0.1...3600, "seconds",
            "Time to receive a request; long bodies get more")
        number(
            "reader-timeout", \.readerTimeout, 0.1...3600, "seconds",
            "Time a client may read nothing of its stream before it is closed")
        number("max-body", \.maxBody, 1024...(64 << 20), "bytes", "Largest JSON body")
        number("max-upload", \.maxUpload, 1024...(16 << 30), "bytes", "Largest list of items sent as NDJSON")
    }
}

public enum NodeSettings: SettingGroup {
    public static let title = "Several servers as one"

    public static var flags: [Setting] {
        Setting("redis", "Redis or Valkey to share through: redis://HOST:PORT", .text) { reader, settings in
            settings.redis = (reader.text("redis") ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        }
        Setting(
            "node", "Name of this server, different for each one that shares: lower-case letters, digits and -", .text
        ) { reader, settings throws(SettingError) in
            settings.node = reader.text("node")
            guard let node = settings.node else { return }
            let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8
            guard (1...32).contains(node.utf8.count), node.utf8.allSatisfy(allowed.contains) else {
                throw SettingError("--node must be 1 to 32 lower-case letters, digits and -, not \"\(node)\"")
            }
        }
    }
}

public enum DownloadSettings: SettingGroup {
    public static let title = "Downloads"

    public static var flags: [Setting] {
        list(
            "allow-address", \.allowedAddresses, "Private network to allow downloads from, in CIDR notation")
        list(
            "allow-origin", \.allowedOrigins,
            "Origin to allow downloads from, whatever its address: HOST:PORT")
        Setting(
            "origin-header",
            "Header for downloads from one host, such as \"nas.local: Authorization: Bearer TOKEN\"; never sent to another",
            .list
        ) { reader, settings throws(SettingError) in
            settings.network.originHeaders = []
            for text in reader.list("origin-header", byLine: true) {
                do throws(OriginHeader.Refusal) {
                    settings.network.originHeaders.append(try OriginHeader(text))
                } catch {
                    throw SettingError("\(reader.place(of: "origin-header")): \(error)")
                }
            }
        }
        Setting(
            "s3-endpoint", "S3 service of s3:// sources: http://HOST:PORT or https://HOST", .text,
            standard: "Amazon S3 in the region"
        ) { reader, settings in
            settings.bucketEndpoint = reader.text("s3-endpoint") ?? settings.bucketEndpoint
        }
        number("max-downloads", \.maxDownloads, 1...256, "downloads", "Maximum number of downloads at once")
        number(
            "max-downloads-per-host", \.maxDownloadsPerHost, 1...256, "downloads",
            "Maximum number of downloads at once from one host; starts lower and rises while throughput rises"
        )
        number("max-bytes", \.maxBytes, 1024...(1 << 30), "bytes", "Largest picture file")
        number(
            "host-rest", \.pool.hosts.breaker.pause, 0...600_000, "ms",
            "First pause of a failing host; it doubles with each failed probe")
    }
}
