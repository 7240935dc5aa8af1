extension PictureHeader {
    /// Walks the chunks (W3C PNG, 5). After the first IDAT, only `eXIf` is read.
    mutating func readPNG(_ bytes: [UInt8]) throws(RenderError) {
        var reader = ByteReader(bytes)
        _ = reader.skip(8)
        var first = true, seenData = false, seenExif = false
        while let length = reader.number(4, bigEndian: true), let type = reader.tag() {
            guard length <= 0x7FFF_FFFF else { throw .broken("a PNG chunk of \(length) bytes") }
            if first, type != "IHDR" { throw .broken("a PNG that begins with \(type)") }
            if type == "IEND" { break }
            if type == "IDAT" { seenData = true }
            guard let data = reader.range(length), reader.skip(4) else {
                if first { throw .headerEnds(.png) }
                return
            }
            switch type {
            case "IHDR" where first: try readImageHeader(bytes, data)
            case "eXIf" where !seenExif:
                seenExif = true
                orientation = Orientation(exif: bytes, range: data)
            case _ where seenData: break
            case "tRNS": hasAlpha = true
            case "acTL": isAnimated = true
            case "iCCP": profile = [data]
            case "cICP" where data.count == 4:
                primaries = Int(bytes[data.lowerBound])
                transfer = Int(bytes[data.lowerBound + 1])
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
