import BoundedCache
import Fetch
import PhotoFacts
import Pictures

/// Experience with the recent files of remote hosts. Decides whether to request the beginning of a file before the whole file.
///
/// From an unknown host the whole file is requested. The response says how long the file is, and a long download is cancelled
/// after the file's beginning. So a small picture never costs a second request or a header that a host may handle badly. Once
/// a host is known for large files, only their beginnings are requested, by `Range`, so no connection is closed for them.
package struct RemoteFiles: Sendable {
    private struct Host: Sendable {
        /// Bytes of the host's latest files. `previews` is whether its latest large files had a preview.
        var sizes: [Int] = []
        var previews: [Bool] = []
        /// Whether the host sent a whole file in response to a range request.
        var sendsWhole = false
    }

    static let remembered = 8
    /// Number of large files without a preview after which no preview is looked for.
    package static let patience = 4

    private var hosts: BoundedCache<String, Host>

    /// - Parameter capacity: Number of remembered hosts. The hosts with the most recent files stay. Default 1,024.
    package init(capacity: Int = 1_024) { hosts = BoundedCache(limit: capacity) }

    /// Returns how to request the beginning of a file, or `nil` to request the whole file.
    package func beginning(from host: String) -> FetchRequest.Beginning? {
        let known = hosts[host] ?? Host()
        guard !known.sendsWhole else { return nil }
        if known.previews.count >= Self.patience, !known.previews.contains(true) { return nil }
        guard !known.sizes.isEmpty else { return Self.beginning(requestsRange: false) }
        let median = known.sizes.sorted()[known.sizes.count / 2]
        return median >= PreviewReader.minimumBytes ? Self.beginning(requestsRange: true) : nil
    }

    private static func beginning(requestsRange: Bool) -> FetchRequest.Beginning {
        FetchRequest.Beginning(
            length: JPEGHead.length, minimumBody: PreviewReader.minimumBytes, requestsRange: requestsRange)
    }

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
}
