/// Iterates over the marker segments of a JPEG (ITU-T T.81, annex B). Stray bytes between segments are skipped, as decoders do. The
/// entropy-coded data after a scan's header is not a segment.
package struct JPEGSegments {
    package struct Segment {
        package var marker: UInt8
        /// Position of the contents. Shorter than ``length`` if the bytes end early.
        package var data: Range<Int>
        /// Stated length of the contents. Negative if the file states an impossible one.
        package var length: Int

        package var isWhole: Bool { data.count == length }
        package var isEnd: Bool { marker == 0xD9 }
        package var isScan: Bool { marker == 0xDA }
        package var isFrame: Bool { (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker) }
    }

    static let exif = Array("Exif\0\0".utf8)
    static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    static let profile = Array("ICC_PROFILE\0".utf8)

    private var reader: ByteReader
    /// Where to go on reading when more bytes have arrived.
    package private(set) var offset: Int

    /// - Parameter start: offset of a marker, or of stray bytes before one.
    package init(_ bytes: [UInt8], from start: Int) {
        reader = ByteReader(bytes, range: min(start, bytes.count)..<bytes.count)
        offset = reader.offset
    }

    /// Returns the next segment that has contents, or the end marker. `nil` if the bytes end first.
    package mutating func next() -> Segment? {
        while let marker = nextMarker() {
            if marker == 0x01 || (0xD0...0xD8).contains(marker) {
                offset = reader.offset
                continue
            }
            if marker == 0xD9 {
                offset = reader.offset
                return Segment(marker: marker, data: offset..<offset, length: 0)
            }
            guard let stated = reader.number(2, bigEndian: true) else { return nil }
            let start = reader.offset
            _ = reader.skip(min(max(0, stated - 2), reader.remaining))
            offset = reader.offset
            return Segment(marker: marker, data: start..<offset, length: stated - 2)
        }
        return nil
    }

    /// Returns the next marker, or `nil` if there is none. Then ``offset`` is the end of the bytes, or of the byte before a cut marker.
    private mutating func nextMarker() -> UInt8? {
        while let byte = reader.byte() {
            guard byte == 0xFF else { continue }
            offset = reader.offset - 1
            while let marker = reader.byte() {
                if marker == 0 { break }
                if marker != 0xFF { return marker }
            }
        }
        if reader.bytes.last != 0xFF { offset = reader.offset }
        return nil
    }
}
