import Media

/// The reason why something in a folder is not in its gallery. The cases are in the order in which they are reported.
public enum LeftOutReason: String, Sendable, CaseIterable {
    case unreadable
    case notUTF8
    /// A link that leads out of the gallery's folder.
    case leadsOut
    /// A link without a target, or in a circle of links.
    case leadsNowhere
    case tooDeep
    /// A picture or folder beyond the limit of a gallery.
    case tooMany
    /// A file whose name does not show its type, beyond the number of such files examined in one folder.
    case unexamined
    /// A folder with a file named `.nomedia`.
    case noMedia
    /// A file or folder that a pattern of the operator excludes.
    case excluded
}

/// Files and folders that are left out of a gallery for one reason, or by one pattern.
public struct LeftOut: Sendable, Equatable {
    public let reason: LeftOutReason
    /// Number of files and folders, at least 1.
    public let count: Int
    /// Paths of the first files and folders, relative to the gallery's folder. At most 20, or 3 for a pattern. Bytes that are not text are
    /// written as `\xe9`.
    public let names: [String]
    /// The pattern that excludes the files and folders, or `nil` for other reasons.
    public let pattern: String?

    package init(_ reason: LeftOutReason, count: Int, names: [String], pattern: String? = nil) {
        self.pattern = pattern
        self.reason = reason
        self.count = count
        self.names = names
    }
}

/// Files and folders that are left out, counted by reason, with the names of the first few.
package struct FilesLeftOut: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var count = 0
        var names: [String] = []
    }

    private struct Key: Sendable, Hashable {
        var reason: LeftOutReason
        var pattern: String?

        /// Maximum number of names. Lower for patterns, because there may be many patterns.
        var maximumNames: Int { pattern == nil ? 20 : 3 }
    }

    private var entries: [Key: Entry] = [:]

    package init() {}

    /// - Parameter folder: path of the folder, relative to the gallery's folder.
    mutating func add(
        _ reason: LeftOutReason, _ name: some Sequence<UInt8>, in folder: String, pattern: String? = nil
    ) {
        let key = Key(reason: reason, pattern: pattern)
        entries[key, default: Entry()].count += 1
        guard entries[key, default: Entry()].names.count < key.maximumNames else { return }
        let place = folder.isEmpty ? "" : folder + "/"
        entries[key]?.names.append(Self.escaped(Array(place.utf8) + name))
    }

    mutating func add(_ others: FilesLeftOut) {
        for (key, other) in others.entries {
            let names = entries[key, default: Entry()].names + other.names
            entries[key, default: Entry()].count += other.count
            entries[key]?.names = Array(names.prefix(key.maximumNames))
        }
    }

    /// One entry for each reason and each pattern. Names are in natural order.
    package var list: [LeftOut] {
        LeftOutReason.allCases.flatMap { reason in
            let keys = entries.keys.filter { $0.reason == reason }
            return keys.sorted { ($0.pattern ?? "") < ($1.pattern ?? "") }.compactMap { part($0) }
        }
    }

    private func part(_ key: Key) -> LeftOut? {
        entries[key].map { entry in
            let names = entry.names.sorted(by: NaturalOrder.areInIncreasingOrder)
            return LeftOut(key.reason, count: entry.count, names: names, pattern: key.pattern)
        }
    }

    /// Returns the bytes as text. Control characters and bytes that are not UTF-8 are written as `\xe9`.
    package static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        var rest = bytes[...]
        while let byte = rest.first {
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            if byte >= 0x20, byte != 0x7F, let part = String(validating: rest.prefix(length), as: UTF8.self) {
                text += part
                rest = rest.dropFirst(length)
            } else {
                text += byte < 0x10 ? "\\x0" : "\\x"
                text += String(byte, radix: 16)
                rest = rest.dropFirst()
            }
        }
        return text
    }
}

extension [LeftOut] {
    /// Text for people: `1 folder cannot be read: private; 1 name is not UTF-8: caf\xe9.jpg`. `nil` if nothing is left out.
    public var sentence: String? {
        isEmpty ? nil : map(\.sentence).joined(separator: "; ")
    }
}

extension LeftOut {
    fileprivate var sentence: String {
        let isOne = count == 1
        let words =
            switch reason {
            case .unreadable: isOne ? "folder cannot be read" : "folders cannot be read"
            case .notUTF8: isOne ? "name is not UTF-8" : "names are not UTF-8"
            case .leadsOut: isOne ? "link leads out of the folder" : "links lead out of the folder"
            case .leadsNowhere: isOne ? "link leads nowhere" : "links lead nowhere"
            case .tooDeep: isOne ? "folder is too deep" : "folders are too deep"
            case .tooMany: isOne ? "file or folder is too many" : "files or folders are too many"
            case .unexamined: isOne ? "file was not examined" : "files were not examined"
            case .noMedia: isOne ? "folder has a .nomedia file" : "folders have a .nomedia file"
            case .excluded:
                (isOne ? "file or folder matches" : "files and folders match") + " --exclude \(pattern ?? "")"
            }
        let some = names.prefix(3)
        return "\(count) \(words): \(some.joined(separator: ", "))\(count > some.count ? ", …" : "")"
    }
}

/// Pictures and videos of one kind that cannot be shown.
public struct KindNotShown: Sendable, Equatable {
    /// The files' extension in lower case: `heic`.
    public let kind: String
    /// Number of files, at least 1.
    public let count: Int

    package init(kind: String, count: Int) {
        self.kind = kind
        self.count = count
    }
}

/// The pictures and videos of a folder that cannot be shown, counted by kind. Other files are not counted.
package struct FilesNotShown: Sendable, Equatable {
    private var counts: [PictureName.Extension: Int] = [:]

    mutating func add(_ kind: PictureName.Extension) { counts[kind, default: 0] += 1 }

    mutating func add(_ others: FilesNotShown) { counts.merge(others.counts, uniquingKeysWith: +) }

    /// The kinds and their counts, the most frequent first.
    package var kinds: [KindNotShown] {
        counts.map { KindNotShown(kind: $0.key.text, count: $0.value) }
            .sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
    }
}

extension [KindNotShown] {
    /// Text for people: `412 files are not shown: 300 MP4, 112 PSD`. `nil` if there are none.
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
