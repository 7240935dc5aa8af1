import BoundedCache

/// Experience with the recent files of remote hosts, for ``PreviewChoice``.
///
/// From an unknown host the whole file is requested. The response says how long the file is, and a long download is cancelled
/// after the file's beginning. So a small picture never costs a second request or a header that a host may handle badly. Once
/// a host is known for large files, only their beginnings are requested, by `Range`, so no connection is closed for them.
package struct RemoteFiles: Sendable {
    package struct Host: Sendable {
        /// Bytes of the host's latest files. Never empty.
        fileprivate var sizes: [Int] = []
        /// Whether the host's latest large files had a preview.
        fileprivate var previews: [Bool] = []
        /// Whether the host sent a whole file in response to a range request.
        package fileprivate(set) var sendsWhole = false

        var medianSize: Int { sizes.sorted()[sizes.count / 2] }

        /// Whether so many large files had no preview that no preview is looked for.
        var lacksPreviews: Bool { previews.count >= RemoteFiles.patience && !previews.contains(true) }
    }

    static let remembered = 8
    /// Number of large files without a preview after which no preview is looked for.
    package static let patience = 4

    private var hosts: BoundedCache<String, Host>

    /// - Parameter capacity: Number of remembered hosts. The hosts with the most recent files stay. Default 1,024.
    package init(capacity: Int = 1_024) { hosts = BoundedCache(limit: capacity) }

    package subscript(host: String) -> Host? { hosts[host] }

    /// - Parameters:
    ///   - size: Bytes of the whole file.
    ///   - hasPreview: Whether the file contains a preview, or `nil` if unknown.
    ///   - sentWhole: Whether the host sent the whole file although its beginning was requested.
    package mutating func came(from host: String, size: Int, hasPreview: Bool? = nil, sentWhole: Bool = false) {
        var known = hosts.use(host) ?? Host()
        known.sizes = (known.sizes + [size]).suffix(Self.remembered)
        if let hasPreview { known.previews = (known.previews + [hasPreview]).suffix(Self.remembered) }
        if sentWhole { known.sendsWhole = true }
        if hosts[host] == nil { hosts.insert(known, for: host) } else { hosts.replace(known, for: host) }
    }

    /// Learns whether a whole file that was rendered has a preview.
    package mutating func rendered(from host: String, size: Int, hasPreview: Bool) {
        guard size >= PreviewReader.minimumBytes, var known = hosts.use(host) else { return }
        known.previews = (known.previews + [hasPreview]).suffix(Self.remembered)
        hosts.replace(known, for: host)
    }
}
