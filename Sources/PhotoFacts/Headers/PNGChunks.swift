/// The chunks of a PNG that its picture needs. What libpng never sees cannot be a bomb: texts and profiles inflate to
/// thousands of times their size.
package enum PNGChunks {
    /// The file without its other chunks. A colour profile, `sRGB` or `cICP` makes `gAMA` and `cHRM` void (W3C PNG, 4.3):
    /// they are dropped with it.
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
                // The rest is incomplete: libpng reports it, if it matters.
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
            // An unknown critical chunk is libpng's to refuse.
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

    /// The beginning of the file with no chunk but IHDR and the compressed profile, for libpng to read the latter from.
    package static func profileOnly(_ bytes: [UInt8], _ data: Range<Int>) -> [UInt8] {
        let emptyData: [UInt8] = [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xAF, 0x06, 0x1E]
        return Array(bytes.prefix(8 + 25)) + Array(bytes[(data.lowerBound - 8)..<(data.upperBound + 4)]) + emptyData
    }
}
