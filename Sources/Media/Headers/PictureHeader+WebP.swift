extension PictureHeader {
    /// Walks the RIFF chunks (RFC 9649).
    mutating func readWebP(_ bytes: [UInt8]) throws(RenderError) {
        var seenImage = false
        // Only the beginning of an image's chunk is needed. The rest of the chunk may be missing.
        for chunk in Chunks(webp: FilePieces(bytes)) {
            switch chunk.type {
            case "VP8X" where width == 0: try readExtended(bytes, chunk.data)
            case "VP8 " where width == 0: try readLossy(bytes, chunk.data)
            case "VP8L" where width == 0: try readLossless(bytes, chunk.data)
            case "ICCP": profile = [chunk.data]
            case "EXIF": orientation = Orientation(exif: bytes, range: chunk.data)
            default: break
            }
            if ["VP8 ", "VP8L", "ANMF"].contains(chunk.type) { seenImage = true }
        }
        if width == 0 { throw seenImage ? .broken("a WebP without a picture") : .headerEnds(.webp) }
    }

    private mutating func readExtended(_ bytes: [UInt8], _ data: Range<Int>) throws(RenderError) {
        var reader = ByteReader(bytes, range: data)
        guard let flags = reader.byte(), reader.skip(3), let width = reader.number(3, bigEndian: false),
            let height = reader.number(3, bigEndian: false)
        else { throw .headerEnds(.webp) }
        self.width = width + 1
        self.height = height + 1
        isAnimated = flags & 0x02 != 0
        hasAlpha = flags & 0x10 != 0
    }

    /// Reads a lossy picture's size (RFC 6386, 9.1): frame tag, start code, then 14 bits each of width and height.
    private mutating func readLossy(_ bytes: [UInt8], _ data: Range<Int>) throws(RenderError) {
        var reader = ByteReader(bytes, range: data)
        guard let tag = reader.number(3, bigEndian: false), let code = reader.number(3, bigEndian: true),
            let width = reader.number(2, bigEndian: false), let height = reader.number(2, bigEndian: false)
        else { throw .headerEnds(.webp) }
        guard tag & 1 == 0, code == 0x9D012A else { throw .broken("a WebP that is not a key frame") }
        self.width = width & 0x3FFF
        self.height = height & 0x3FFF
    }

    /// Reads a lossless picture's size (RFC 9649, 3.4): signature, then 14 bits of width - 1, 14 of height - 1, 1 of alpha.
    private mutating func readLossless(_ bytes: [UInt8], _ data: Range<Int>) throws(RenderError) {
        var reader = ByteReader(bytes, range: data)
        guard let signature = reader.byte(), let bits = reader.number(4, bigEndian: false) else {
            throw .headerEnds(.webp)
        }
        guard signature == 0x2F else { throw .broken("a lossless WebP without its signature") }
        width = (bits & 0x3FFF) + 1
        height = ((bits >> 14) & 0x3FFF) + 1
        hasAlpha = (bits >> 28) & 1 != 0
    }
}
