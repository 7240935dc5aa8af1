extension Setting {
    /// The table of settings, by section. Defaults stand in ``Settings``.
    public static let groups: [any SettingGroup.Type] = [
        AccessSettings.self, ViewerSettings.self, DownloadSettings.self, RenderSettings.self, StoreSettings.self,
        NodeSettings.self, GallerySettings.self, ProgramSettings.self,
    ]
}

public enum AccessSettings: SettingGroup {
    public static let title = "Where it listens, and whom it lets in"

    public static var flags: [Setting] {
        Setting(
            "host", "Address to listen on; another than loopback needs a token", .text,
            standard: Settings.standard.host
        ) { reader, settings throws(SettingError) in
            settings.host = try reader.text("host", default: settings.host) ?? ""
        }
        number("port", \.port, 0...65_535, "as a TCP port", "Port to listen on, 0 lets the system pick")
        text(
            "token", "Secret that lets people and scripts in, of at least \(AccessToken.minLength) characters", .text,
            isSecret: true)
        text(
            "token-file", "File that holds the token alone: unlike flags, others on this machine do not see it", .file,
            isSecret: true)
        text(
            "view-token-file",
            "File that holds a second token: it lets people look and scroll, and change nothing that is another's",
            .file,
            isSecret: true)
        list(
            "allow-host", \.allowedHosts, "A name that the server is known by, behind a proxy or in the local network")
        list(
            "trusted-proxy", \.trustedProxies,
            "Address or network of a proxy whose X-Forwarded headers are believed")
        list(
            "embed-origin", \.embedOrigins,
            "An origin, as https://blog.example, whose pages may show galleries in themselves")
    }
}

public enum ViewerSettings: SettingGroup {
    public static let title = "Viewers and scripts"

    public static var flags: [Setting] {
        number("max-connections", \.maxConnections, 8...100_000, "connections", "Connections open at once")
        number("max-sessions", \.maxSessions, 1...100_000, "sessions", "Sessions open at once")
        number(
            "session-grace", \.sessionGrace, 1...86_400, "seconds", "How long a session lives without an event stream")
        number(
            "max-updates", \.maxUpdates, 1...100_000, "updates a second", "Updates of one session's viewport a second")
        number(
            "request-timeout", \.requestTimeout, 0.1...3600, "seconds",
            "How long a request may take to come, longer where its body is long")
        number(
            "reader-timeout", \.readerTimeout, 0.1...3600, "seconds",
            "How long a stream's reader may take nothing of what waits for it")
        number("max-body", \.maxBody, 1024...(64 << 20), "bytes", "Size of a JSON body")
    }

    public static var withoutFlag: [Setting] {
        number("max-streams", \.maxStreams, 1...100_000, "streams", "Event streams open at once")
        number(
            "max-connections-per-address", \.maxConnectionsPerAddress, 0...100_000, "connections",
            "Connections open at once from one address that is neither this machine nor a trusted proxy, 0 for a quarter of all"
        )
        number(
            "max-streams-per-session", \.maxStreamsPerSession, 1...10_000, "streams",
            "Event streams of one session, followers included")
        number("max-header", \.maxHeader, 1024...65_536, "bytes", "Size of a request's line and headers")
        number("max-upload", \.maxUpload, 1024...(16 << 30), "bytes", "Size of a list of items sent as NDJSON")
    }
}

public enum NodeSettings: SettingGroup {
    public static let title = "Several servers as one"

    public static var flags: [Setting] {
        Setting(
            "redis",
            "Redis or Valkey that servers share through: redis://HOST:PORT or redis-sentinel://HOST:PORT#NAME",
            .text
        ) { reader, settings throws(SettingError) in
            // May hold a password.
            let servers = try reader.text("redis", isSecret: true) ?? ""
            settings.redis = servers.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
                .reduce(into: []) { all, part in
                    // Further sentinels of one server.
                    if let last = all.indices.last, !part.contains("://") {
                        all[last] += ",\(part)"
                    } else {
                        all.append(part)
                    }
                }
        }
        Setting(
            "node", "Name of this server among those that share: small letters, digits and -", .text
        ) { reader, settings throws(SettingError) in
            settings.node = try reader.text("node")
            guard let node = settings.node else { return }
            let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8
            guard (1...32).contains(node.utf8.count), node.utf8.allSatisfy(allowed.contains) else {
                throw SettingError("--node must be 1 to 32 small letters, digits and -, not \"\(node)\"")
            }
        }
    }
}

public enum DownloadSettings: SettingGroup {
    public static let title = "Downloads"

    public static var flags: [Setting] {
        list(
            "allow-address", \.allowedAddresses, "A private network, as CIDR, that pictures may be downloaded from")
        list(
            "allow-origin", \.allowedOrigins,
            "An origin, HOST:PORT, that pictures may be downloaded from whatever its address")
        Setting(
            "s3-endpoint", "Service that s3:// sources are at, http://HOST:PORT or https://HOST", .text,
            standard: "Amazon's, of the region"
        ) { reader, settings throws(SettingError) in
            settings.bucketEndpoint = try reader.text("s3-endpoint", default: settings.bucketEndpoint)
        }
        number("max-downloads", \.maxDownloads, 1...256, "downloads", "Pictures downloaded at once")
        number(
            "max-downloads-per-host", \.maxDownloadsPerHost, 1...256, "downloads",
            "Pictures downloaded at once from one host, at most; it starts lower and rises while throughput rises"
        )
        number("max-bytes", \.maxBytes, 1024...(1 << 30), "bytes", "Size of one picture's file")
    }

    public static var withoutFlag: [Setting] {
        number(
            "first-downloads-per-host", \.pool.hosts.limit.initial, 1...256, "downloads",
            "Downloads at once from a host not known yet")
        number("connect-timeout", \.network.connectTimeout, 1...600_000, "ms", "Time to find, reach and greet a host")
        number("idle-timeout", \.network.idleTimeout, 1...600_000, "ms", "Time without a byte")
        number(
            "download-timeout", \.network.totalTimeout, 1...3_600_000, "ms", "Time for a download, redirects included")
        number(
            "resume-memory", \.network.partialBytes, 0...(16 << 30), "bytes",
            "Beginnings of downloads cut off late, kept to be resumed")
        number(
            "fetch-attempts", \.pool.hosts.retry.attempts, 1...20, "tries", "Tries of a download, the first included")
        number(
            "retry-wait", \.pool.hosts.retry.base, 0...60_000, "ms",
            "Longest wait before the second try; it doubles with each further one")
        number(
            "longest-retry-after", \.pool.hosts.retry.longestRetryAfter, 0...600_000, "ms",
            "Longest Retry-After that is waited for; a download told to wait longer has failed")
        number(
            "host-failures", \.pool.hosts.breaker.failures, 1...1_000, "failures",
            "Failures in a row after which a host is left alone for a while")
        number(
            "host-rest", \.pool.hosts.breaker.rest, 0...600_000, "ms",
            "How long it is left alone at first; doubles with each probe that fails")
        number(
            "longest-host-rest", \.pool.hosts.longestRest, 0...3_600_000, "ms",
            "Longest a host is left alone, whatever it asks for")
        number("missing-lifetime", \.memory.missingLifetime, 0...604_800, "seconds", "How long a 404 is believed")
        number("gone-lifetime", \.memory.goneLifetime, 0...604_800, "seconds", "How long a 410 is believed")
        number(
            "max-failures", \.memory.maxFailures, 0...1_000_000, "pictures", "Pictures remembered as missing or broken")
    }
}
