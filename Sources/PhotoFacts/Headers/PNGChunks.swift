/// The chunks of a PNG that are needed to decode its picture. All others are removed before libpng reads the file, because texts and
/// profiles may inflate to thousands of times their size.
package enum PNGChunks {
    /// Returns the file without its other chunks. A colour profile, `sRGB` or `cICP` overrides `gAMA` and `cHRM` (W3C PNG, 4.3), which are
    /// then removed too.
    package static func essential(_ bytes: [UInt8]) -> [UInt8] {
        var ranges: [(type: String, range: Range<Int>)] = []
        var kept = 8
        var reader = ByteReader(bytes)
        _ = reader.skip(8)
        while true {
            let start = reader.offset
            guard let length = reader.number(4, bigEndian: true), let type = reader.tag(), reader.skip(length),
                reader.skip(4)
            else {
                // Leaves the incomplete rest of the file, so that libpng can report it.
                if start < bytes.count { ranges.append(("", start..<bytes.count)) }
                break
            }
            ranges.append((type, start..<reader.offset))
            if type == "IEND" { break }
        }
        let hasSpace = ranges.contains { ["iCCP", "sRGB", "cICP"].contains($0.type) }
        let wanted = ranges.filter { chunk in
            switch chunk.type {
            case "", "IHDR", "PLTE", "tRNS", "IDAT", "IEND": true
            case "gAMA", "cHRM": !hasSpace
            // Leaves unknown critical chunks, so that libpng refuses the file.
            default: chunk.type.utf8.first.map { $0 & 0x20 == 0 } ?? true
            }
        }
        for chunk in wanted { kept += chunk.range.count }
        if kept == bytes.count { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(kept)
        result += bytes.prefix(8)
        for chunk in wanted { result += bytes[chunk.range] }
        return result
    }

    /// Returns the start of the file with only IHDR and the compressed profile, so that libpng can read the profile.
    package static func profileOnly(_ bytes: [UInt8], _ data: Range<Int>) -> [UInt8] {
        let emptyData: [UInt8] = [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xAF, 0x06, 0x1E]
        return Array(bytes.prefix(8 + 25)) + Array(bytes[(data.lowerBound - 8)..<(data.upperBound + 4)]) + emptyData
    }
}
