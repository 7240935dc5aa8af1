import PhotoFacts

/// Names for the files of an archive: unique regardless of case, and valid on every system.
package struct ArchiveNames: Sendable {
    /// Bytes of a name: less than file systems take, for a number that may be added.
    package static let maxBytes = 200
    private static let forbidden = Set("/\\:*?\"<>|")
    /// Names that Windows reserves for devices, with any extension.
    private static let devices = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

    /// Hashes of names in lower case: 8 to 22 bytes each, however long the name is. Two different names of one hash cost the second a number.
    private var used: Set<Int> = []
    /// The last number given, by the hash of a name that was asked for again.
    private var numbers: [Int: Int] = [:]

    package init() {}

    /// The name itself where it is safe and new; otherwise one like it: `a (2).jpg`.
    package mutating func name(_ wanted: String) -> String {
        let (stem, ending) = Self.parts(Self.safe(wanted))
        var name = stem + ending
        let key = Self.hash(name)
        if used.insert(key).inserted { return name }
        var number = numbers[key] ?? 1
        repeat {
            number += 1
            name = "\(stem) (\(number))\(ending)"
        } while !used.insert(Self.hash(name)).inserted
        numbers[key] = number
        return name
    }

    private static func hash(_ name: String) -> Int { name.lowercased().hashValue }

    private static func safe(_ name: String) -> String {
        var safe = String(
            name.unicodeScalars.map { scalar in
                let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
                return isControl || forbidden.contains(Character(scalar)) ? "_" : Character(scalar)
            })
        // Neither hidden nor shortened where it is unpacked.
        while let last = safe.last, last == "." || last == " " { safe.removeLast() }
        safe = String(safe.drop { $0 == "." || $0 == " " })
        if safe.isEmpty { safe = "picture" }
        let stem = safe.prefix { $0 != "." }.lowercased()
        return devices.contains(stem) ? "_" + safe : safe
    }

    /// The name before its ending, shortened where it is too long, and the ending with its dot.
    private static func parts(_ name: String) -> (stem: String, ending: String) {
        var stem = name[...]
        var ending = ""
        if let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 16 {
            (stem, ending) = (name[..<dot], String(name[dot...]))
        }
        return (String(stem.prefix(bytes: maxBytes - ending.utf8.count)), ending)
    }
}
