import Media

/// Names for the files of an archive, with their folders: unique regardless of case, and valid on every system.
package struct ArchiveNames: Sendable {
    /// Maximum length of a name in bytes, shorter than the limit of file systems to leave room for a number.
    package static let maxBytes = 200
    /// Maximum length of all folders of a name in bytes. Further folders are omitted.
    package static let maxFolderBytes = 1_024
    private static let forbidden = Set("/\\:*?\"<>|")
    /// Names that Windows reserves for devices, with any extension.
    private static let devices = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

    /// Hashes of lower-case names, so that each name needs 8 to 22 bytes regardless of its length. If two names have the same hash, the
    /// second gets a number without need.
    private var used: Set<Int> = []
    /// Hashes of lower-case folders.
    private var folders: Set<Int> = []
    /// Last number added, by the hash of a name that occurred several times.
    private var numbers: [Int: Int] = [:]

    package init() {}

    /// Returns the name itself if it is safe and unused. Otherwise returns a similar one such as `2019/a (2).jpg`.
    ///
    /// - Parameter folders: folders of the file, outermost first.
    package mutating func name(_ wanted: String, in folders: [String] = []) -> String {
        let (stem, ending) = Self.parts(Self.safe(wanted, or: "picture"))
        let start = path(folders) + stem
        var name = start + ending
        if take(name) { return name }
        let key = Self.hash(name)
        var number = numbers[key] ?? 1
        repeat {
            number += 1
            name = "\(start) (\(number))\(ending)"
        } while !take(name)
        numbers[key] = number
        return name
    }

    /// - Returns: whether no file and no folder has the name.
    private mutating func take(_ name: String) -> Bool {
        let key = Self.hash(name)
        return !folders.contains(key) && used.insert(key).inserted
    }

    /// Returns the path of the folders with a slash at its end, or an empty string without folders. The path differs from all file names.
    private mutating func path(_ wanted: [String]) -> String {
        var path = ""
        for folder in wanted {
            var name = Self.safe(String(folder.prefix(bytes: Self.maxBytes)), or: "folder")
            guard path.utf8.count + name.utf8.count < Self.maxFolderBytes else { break }
            while used.contains(Self.hash(path + name)) { name += "_" }
            path += name
            folders.insert(Self.hash(path))
            path += "/"
        }
        return path
    }

    private static func hash(_ name: String) -> Int { name.lowercased().hashValue }

    private static func safe(_ name: String, or other: String) -> String {
        var safe = String(
            name.unicodeScalars.map { scalar in
                let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
                return isControl || forbidden.contains(Character(scalar)) ? "_" : Character(scalar)
            })
        // Leading dots would hide the file, and some systems remove dots and spaces at the end.
        while let last = safe.last, last == "." || last == " " { safe.removeLast() }
        safe = String(safe.drop { $0 == "." || $0 == " " })
        if safe.isEmpty { safe = other }
        let stem = safe.prefix { $0 != "." }.lowercased()
        return devices.contains(stem) ? "_" + safe : safe
    }

    /// Splits a name into a stem, shortened if necessary, and an extension with its dot.
    private static func parts(_ name: String) -> (stem: String, ending: String) {
        var stem = name[...]
        var ending = ""
        if let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 16 {
            (stem, ending) = (name[..<dot], String(name[dot...]))
        }
        return (String(stem.prefix(bytes: maxBytes - ending.utf8.count)), ending)
    }
}
