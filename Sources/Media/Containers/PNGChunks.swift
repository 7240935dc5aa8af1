/// The chunks of a PNG that are needed to decode its picture. All others are removed before libpng reads the file, because texts and
/// profiles may inflate to thousands of times their size.
package enum PNGChunks {
    /// Returns the file without its other chunks. A colour profile, `sRGB` or `cICP` overrides `gAMA` and `cHRM` (W3C PNG, 4.3), which are
    /// then removed too.
    package static func essential(_ bytes: [UInt8]) -> [UInt8] {
        var chunks = Chunks(png: FilePieces(bytes))
        var found: [Chunks.Chunk] = []
        while let chunk = chunks.next() {
            found.append(chunk)
            if chunk.type == "IEND" || !chunk.isWhole { break }
        }
        let hasSpace = found.contains { ["iCCP", "sRGB", "cICP"].contains($0.type) }
        var wanted = found.filter { chunk in
            switch chunk.type {
            case _ where !chunk.isWhole: true
            case "IHDR", "PLTE", "tRNS", "IDAT", "IEND": true
            case "gAMA", "cHRM": !hasSpace
            // Leaves unknown critical chunks, so that libpng refuses the file.
            default: chunk.type.number & 0x2000_0000 == 0
            }
        }.map(\.range)
        // Leaves the incomplete head at the end of the file, so that libpng can report it.
        if chunks.offset < bytes.count, bytes.count - chunks.offset < 8, found.last?.type != "IEND" {
            wanted.append(chunks.offset..<bytes.count)
        }
        let kept = wanted.reduce(8) { $0 + $1.count }
        if kept == bytes.count { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(kept)
        result += bytes.prefix(8)
        for range in wanted { result += bytes[range] }
        return result
    }

    /// Returns the start of the file with only IHDR and the compressed profile, so that libpng can read the profile.
    package static func profileOnly(_ bytes: [UInt8], _ data: Range<Int>) -> [UInt8] {
        let emptyData: [UInt8] = [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xAF, 0x06, 0x1E]
        return Array(bytes.prefix(8 + 25)) + Array(bytes[(data.lowerBound - 8)..<(data.upperBound + 4)]) + emptyData
    }
}
