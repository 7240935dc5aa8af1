extension PictureHeader {
    /// Walks the marker segments up to the first scan (ITU-T T.81, annex B).
    mutating func readJPEG(_ bytes: [UInt8]) throws(RenderError) {
        var reader = ByteReader(bytes)
        _ = reader.skip(2)
        var profilePieces: [(number: UInt8, range: Range<Int>)] = []
        var seenFrame = false
        dataStart = bytes.count
        walk: while true {
            guard let marker = Self.nextMarker(&reader) else {
                // The dimensions are known. The decoder reports missing data.
                if seenFrame { break walk }
                throw .headerEnds(.jpeg)
            }
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            if marker == 0xD9 {
                if seenFrame { break walk }
                throw .broken("a JPEG without a picture")
            }
            guard let length = reader.number(2, bigEndian: true) else {
                if seenFrame { break walk }
                throw .headerEnds(.jpeg)
            }
            guard length >= 2 else { throw .broken("a JPEG segment of \(length) bytes") }
            guard let segment = reader.range(length - 2) else {
                if seenFrame { break walk }
                throw .headerEnds(.jpeg)
            }
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                if seenFrame { throw .broken("a JPEG with two frames") }
                try readFrame(bytes, segment, marker: marker)
                seenFrame = true
            case 0xE1:
                readExif(bytes, segment)
            case 0xE2:
                if let piece = Self.profilePiece(bytes, segment) { profilePieces.append(piece) }
            case 0xDA:
                guard seenFrame else { throw .broken("a JPEG scan before its frame") }
                dataStart = reader.offset
                break walk
            default: break
            }
        }
        profile = profilePieces.sorted { $0.number < $1.number }.map(\.range)
    }

    static func nextMarker(_ reader: inout ByteReader) -> UInt8? {
        // Skips stray bytes between segments, as decoders do.
        while let byte = reader.byte() {
            guard byte == 0xFF else { continue }
            while let marker = reader.byte() {
                if marker == 0 { break }
                if marker != 0xFF { return marker }
            }
        }
        return nil
    }

    private mutating func readFrame(_ bytes: [UInt8], _ segment: Range<Int>, marker: UInt8) throws(RenderError) {
        var reader = ByteReader(bytes, range: segment)
        guard let precision = reader.byte(), let height = reader.number(2, bigEndian: true),
            let width = reader.number(2, bigEndian: true), let components = reader.byte()
        else { throw .broken("a JPEG frame header of \(segment.count) bytes") }
        switch marker {
        case 0xC0, 0xC1, 0xC9: isProgressive = false
        case 0xC2, 0xCA: isProgressive = true
        case 0xC3, 0xCB: throw .unsupported("lossless JPEG")
        default: throw .unsupported("hierarchical JPEG")
        }
        guard precision == 8 else { throw .unsupported("JPEG of \(precision) bits") }
        guard components == 1 || components == 3 || components == 4 else {
            throw .unsupported("JPEG of \(components) components")
        }
        self.width = width
        self.height = height
        self.components = Int(components)
    }

    private mutating func readExif(_ bytes: [UInt8], _ segment: Range<Int>) {
        let magic = Array("Exif\0\0".utf8)
        guard orientation == .up, bytes[segment].starts(with: magic) else { return }
        orientation = Orientation(tiff: bytes, range: segment.dropFirst(magic.count))
    }

    /// Returns one numbered piece of the colour profile (ICC.1:2022, annex B.4).
    private static func profilePiece(_ bytes: [UInt8], _ segment: Range<Int>) -> (number: UInt8, range: Range<Int>)? {
        let magic = Array("ICC_PROFILE\0".utf8)
        guard segment.count > magic.count + 2, bytes[segment].starts(with: magic) else { return nil }
        return (bytes[segment.lowerBound + magic.count], segment.dropFirst(magic.count + 2))
    }
}
