extension PictureHeader {
    /// Walks the segments up to the first scan.
    mutating func readJPEG(_ bytes: [UInt8]) throws(RenderError) {
        var segments = JPEGSegments(bytes, from: 2)
        var profilePieces: [(number: UInt8, range: Range<Int>)] = []
        var seenFrame = false
        dataStart = bytes.count
        while let segment = segments.next() {
            if segment.isEnd {
                if seenFrame { break }
                throw .broken("a JPEG without a picture")
            }
            guard segment.length >= 0 else { throw .broken("a JPEG segment of \(segment.length + 2) bytes") }
            if !segment.isWhole { break }
            switch segment.marker {
            case _ where segment.isFrame:
                if seenFrame { throw .broken("a JPEG with two frames") }
                try readFrame(bytes, segment.data, marker: segment.marker)
                seenFrame = true
            case 0xE1: readExif(bytes, segment.data)
            case 0xE2:
                if let piece = Self.profilePiece(bytes, segment.data) { profilePieces.append(piece) }
            case _ where segment.isScan:
                guard seenFrame else { throw .broken("a JPEG scan before its frame") }
                dataStart = segment.data.upperBound
            default: break
            }
            if segment.isScan { break }
        }
        // Once the dimensions are known, the decoder reports missing data.
        guard seenFrame else { throw .headerEnds(.jpeg) }
        profile = profilePieces.sorted { $0.number < $1.number }.map(\.range)
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
        guard orientation == .up, bytes[segment].starts(with: JPEGSegments.exif) else { return }
        orientation = Orientation(tiff: bytes, range: segment.dropFirst(JPEGSegments.exif.count))
    }

    /// Returns one numbered piece of the colour profile (ICC.1:2022, annex B.4).
    private static func profilePiece(_ bytes: [UInt8], _ segment: Range<Int>) -> (number: UInt8, range: Range<Int>)? {
        let magic = JPEGSegments.profile
        guard segment.count > magic.count + 2, bytes[segment].starts(with: magic) else { return nil }
        return (bytes[segment.lowerBound + magic.count], segment.dropFirst(magic.count + 2))
    }
}
