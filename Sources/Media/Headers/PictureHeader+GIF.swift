extension PictureHeader {
    /// Reads the logical screen (GIF89a, 18). If the screen has no size, the first frame's size is used, as in browsers.
    mutating func readGIF(_ bytes: [UInt8]) throws(RenderError) {
        var reader = ByteReader(bytes)
        _ = reader.skip(6)
        guard let width = reader.number(2, bigEndian: false), let height = reader.number(2, bigEndian: false),
            let flags = reader.byte(), reader.skip(2)
        else { throw .headerEnds(.gif) }
        self.width = width
        self.height = height
        if flags & 0x80 != 0, !reader.skip(3 << (Int(flags & 7) + 1)) { return }
        readFrames(&reader)
    }

    private mutating func readFrames(_ reader: inout ByteReader) {
        var frames = 0
        while let block = reader.byte() {
            switch block {
            case 0x21:
                guard reader.byte() != nil, Self.skipBlocks(&reader) else { return }
            case 0x2C:
                frames += 1
                if frames == 2 {
                    isAnimated = true
                    return
                }
                guard reader.skip(4), let width = reader.number(2, bigEndian: false),
                    let height = reader.number(2, bigEndian: false), let flags = reader.byte()
                else { return }
                if self.width == 0 || self.height == 0 { (self.width, self.height) = (width, height) }
                isProgressive = flags & 0x40 != 0
                let palette = flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0
                guard reader.skip(palette + 1), Self.skipBlocks(&reader) else { return }
            default: return
            }
        }
    }

    private static func skipBlocks(_ reader: inout ByteReader) -> Bool {
        while let length = reader.byte() {
            if length == 0 { return true }
            if !reader.skip(Int(length)) { return false }
        }
        return false
    }
}
