import PhotoFacts

/// Pictures and videos of a kind that is not shown.
public struct KindNotShown: Sendable, Equatable {
    /// The files' extension in lower case: `heic`.
    public let kind: String
    /// At least 1.
    public let count: Int

    package init(kind: String, count: Int) {
        self.kind = kind
        self.count = count
    }
}

/// The pictures and videos of a folder that cannot be shown, counted by kind. Files that are neither are not counted.
package struct FilesNotShown: Sendable, Equatable {
    private var counts: [PictureName.Extension: Int] = [:]

    mutating func add(_ kind: PictureName.Extension) { counts[kind, default: 0] += 1 }

    mutating func add(_ others: FilesNotShown) { counts.merge(others.counts, uniquingKeysWith: +) }

    /// The most frequent first.
    package var kinds: [KindNotShown] {
        counts.map { KindNotShown(kind: $0.key.text, count: $0.value) }
            .sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
    }
}

extension [KindNotShown] {
    /// For people: `412 files are not shown: 300 MP4, 112 PSD`; `nil` when there are none.
    public var sentence: String? {
        let count = reduce(0) { $0 + $1.count }
        guard count > 0 else { return nil }
        let kinds = map { "\($0.count) \($0.kind.uppercased())" }.joined(separator: ", ")
        let missing = PictureKind.allCases.filter { kind in
            contains { PictureName.Extension($0.kind)?.format == kind }
        }
        let build = missing.isEmpty ? "" : "; this build is without \(missing.map(\.rawValue).joined(separator: ", "))"
        return "\(count) \(count == 1 ? "file is" : "files are") not shown: \(kinds)\(build)"
    }
}
