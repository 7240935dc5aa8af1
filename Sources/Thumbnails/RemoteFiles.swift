import BoundedCache
import Fetch
import PhotoFacts
import Pictures

/// Recent experience with files of remote hosts: whether the beginning of one is worth asking for before the whole.
///
/// A host that is not known is asked as ever, for the whole: its answer says how long the file is, and one that is long is let
/// go of after its beginning. So a small picture never costs a second request, and no header that a host may stumble over. Once
/// the host is known for large files only their beginnings are asked for, by `Range`: no connection is closed for them.
package struct RemoteFiles: Sendable {
    private struct Host: Sendable {
        /// Bytes of its latest files, and whether the latest large ones had a preview.
        var sizes: [Int] = []
        var previews: [Bool] = []
        /// Whether it sent the whole where a part was asked for.
        var sendsWhole = false
    }

    /// Files remembered of each host.
    static let remembered = 8
    /// Large files without a preview after which none is looked for.
    package static let patience = 4

    private var hosts: BoundedCache<String, Host>

    /// - Parameter capacity: hosts remembered, the latest that sent something. Default 1,024.
    package init(capacity: Int = 1_024) { hosts = BoundedCache(limit: capacity) }

    /// How to ask a host for a file: nil for the whole at once.
    package func beginning(from host: String) -> FetchRequest.Beginning? {
        let known = hosts[host] ?? Host()
        guard !known.sendsWhole else { return nil }
        if known.previews.count >= Self.patience, !known.previews.contains(true) { return nil }
        guard !known.sizes.isEmpty else { return Self.beginning(asksForRange: false) }
        let median = known.sizes.sorted()[known.sizes.count / 2]
        return median >= PreviewReader.leastBytes ? Self.beginning(asksForRange: true) : nil
    }

    private static func beginning(asksForRange: Bool) -> FetchRequest.Beginning {
        FetchRequest.Beginning(
            length: JPEGHead.length, leastBody: PreviewReader.leastBytes, asksForRange: asksForRange)
    }

    /// A file came, or its beginning.
    ///
    /// - Parameters:
    ///   - size: bytes of the whole.
    ///   - hasPreview: whether there is a preview in it; nil where nobody looked.
    ///   - sentWhole: whether it came whole though its beginning was asked for.
    package mutating func came(from host: String, size: Int, hasPreview: Bool? = nil, sentWhole: Bool = false) {
        var known = hosts.use(host) ?? Host()
        known.sizes = (known.sizes + [size]).suffix(Self.remembered)
        if let hasPreview { known.previews = (known.previews + [hasPreview]).suffix(Self.remembered) }
        if sentWhole { known.sendsWhole = true }
        if hosts[host] == nil { hosts.insert(known, for: host) } else { hosts.replace(known, for: host) }
    }
}
