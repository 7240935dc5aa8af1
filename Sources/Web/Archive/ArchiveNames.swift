/// Names for the files of an archive: unique regardless of case, and valid on every system.
package struct ArchiveNames: Sendable {
    /// Bytes of a name: less than file systems take, for a number that may be added.
    package static let maxBytes = 200
    private static let forbidden = Set("/\\:*?\"<>|")
    /// Names that Windows reserves for devices, with any extension.
    private static let devices = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

    /// In lower case.
    private var used: Set<String> = []
    /// How often a name was asked for.
    private var counts: [String: Int] = [:]

    package init() {}

    /// The name itself where it is safe and new; otherwise one like it: `a (2).jpg`.
    package mutating func name(_ wanted: String) -> String {
        let (stem, ending) = Self.parts(Self.safe(wanted))
        let key = (stem + ending).lowercased()
        var number = counts[key] ?? 1
        var name = number == 1 ? stem + ending : "\(stem) (\(number))\(ending)"
        while !used.insert(name.lowercased()).inserted {
            number += 1
            name = "\(stem) (\(number))\(ending)"
        }
        counts[key] = number + 1
        return name
    }

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
        while stem.utf8.count + ending.utf8.count > maxBytes { stem.removeLast() }
        return (String(stem), ending)
    }
}
