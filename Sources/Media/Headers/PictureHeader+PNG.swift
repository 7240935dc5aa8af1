extension PictureHeader {
    /// Walks the chunks (W3C PNG, 5). After the first IDAT, only `eXIf` is read.
    mutating func readPNG(_ bytes: [UInt8]) throws(RenderError) {
        var first = true, seenData = false, seenExif = false
        for chunk in Chunks(png: FilePieces(bytes)) {
            guard chunk.length <= 0x7FFF_FFFF else { throw .broken("a PNG chunk of \(chunk.length) bytes") }
            if first, chunk.type != "IHDR" { throw .broken("a PNG that begins with \(chunk.type)") }
            if chunk.type == "IEND" || !chunk.isWhole { break }
            if chunk.type == "IDAT" { seenData = true }
            switch chunk.type {
            case "IHDR" where first: try readImageHeader(bytes, chunk.data)
            case "eXIf" where !seenExif:
                seenExif = true
                orientation = Orientation(exif: bytes, range: chunk.data)
            case _ where seenData: break
            case "tRNS": hasAlpha = true
            case "acTL": isAnimated = true
            case "iCCP": profile = [chunk.data]
            case "cICP" where chunk.data.count == 4:
                primaries = Int(bytes[chunk.data.lowerBound])
                transfer = Int(bytes[chunk.data.lowerBound + 1])
            default: break
            }
            first = false
        }
        if first { throw .headerEnds(.png) }
    }

    private mutating func readImageHeader(_ bytes: [UInt8], _ data: Range<Int>) throws(RenderError) {
        var reader = ByteReader(bytes, range: data)
        guard let width = reader.number(4, bigEndian: true), let height = reader.number(4, bigEndian: true),
            reader.byte() != nil, let colour = reader.byte(), reader.skip(2), let interlace = reader.byte()
        else { throw .broken("a PNG header of \(data.count) bytes") }
        guard width <= 0x7FFF_FFFF, height <= 0x7FFF_FFFF else { throw .broken("\(width) x \(height) pixels") }
        self.width = width
        self.height = height
        hasAlpha = colour & 4 != 0
        isProgressive = interlace != 0
    }
}
