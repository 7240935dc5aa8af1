/// Why something that lies in a folder is not in its gallery. Ordered as they are told.
public enum LeftOutReason: String, Sendable, CaseIterable {
    /// A folder that cannot be read.
    case unreadable
    /// A file or folder with a name that is not UTF-8.
    case notUTF8
    /// A link that leads out of the gallery's folder.
    case leadsOut
    /// A link that leads nowhere, or round in a circle.
    case leadsNowhere
    /// A folder below the deepest one that is read.
    case tooDeep
    /// A picture or folder beyond the most that a gallery has.
    case tooMany
    /// A file whose name does not say what it is, beyond the most of one folder that are looked at.
    case unexamined
}

/// Files and folders that are left out of a gallery for one reason.
public struct LeftOut: Sendable, Equatable {
    public let reason: LeftOutReason
    /// At least 1.
    public let count: Int
    /// Paths of the first ones, at most 20, relative to the gallery's folder. Bytes that are no text are written as `\xe9`.
    public let names: [String]

    package init(_ reason: LeftOutReason, count: Int, names: [String]) {
        self.reason = reason
        self.count = count
        self.names = names
    }
}

/// Files and folders that are left out, counted by reason, and the first of each named.
package struct FilesLeftOut: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var count = 0
        var names: [String] = []
    }

    private static let mostNames = 20
    private var entries: [LeftOutReason: Entry] = [:]

    package init() {}

    /// - Parameter folder: its path relative to the gallery's.
    mutating func add(_ reason: LeftOutReason, _ name: some Sequence<UInt8>, in folder: String) {
        entries[reason, default: Entry()].count += 1
        guard entries[reason, default: Entry()].names.count < Self.mostNames else { return }
        let place = folder.isEmpty ? "" : folder + "/"
        entries[reason]?.names.append(Self.escaped(Array(place.utf8) + name))
    }

    mutating func add(_ others: FilesLeftOut) {
        entries.merge(others.entries) { first, second in
            Entry(
                count: first.count + second.count, names: Array((first.names + second.names).prefix(Self.mostNames)))
        }
    }

    /// Each reason once; names in natural order.
    package var list: [LeftOut] {
        LeftOutReason.allCases.compactMap { reason in
            entries[reason].map { entry in
                LeftOut(
                    reason, count: entry.count, names: entry.names.sorted(by: NaturalOrder.areInIncreasingOrder))
            }
        }
    }

    /// The bytes as text; those that are no UTF-8, and control characters, as `\xe9`.
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
    /// For people: `1 folder cannot be read: private; 1 name is not UTF-8: caf\xe9.jpg`; `nil` where there are none.
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
            }
        let some = names.prefix(3)
        return "\(count) \(words): \(some.joined(separator: ", "))\(count > some.count ? ", …" : "")"
    }
}
