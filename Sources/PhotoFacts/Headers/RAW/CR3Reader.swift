/// Reads Canon's CR3, an ISO base media file. `moov` contains the camera's TIFF directories and a thumbnail. The first track is a JPEG of
/// full size. A box of Canon's own contains a preview.
struct CR3Reader {
    private(set) var contents = RAWPicture.Contents()
    /// EXIF metadata, from three structures that are a single structure in other files.
    private(set) var exif = ExifMetadata()
    private let file: FilePieces

    private static let canon = uuid("85c0b687820f11e08111f4ce462b6a48")
    private static let preview = uuid("eaf42b5e1c984b88b9fbb7dc406e4d16")
    private static let maxBoxes = 64
    private static let maxHeader = 1 << 20

    init(_ file: FilePieces) {
        self.file = file
        for box in boxes(0..<file.count) {
            if box.type == "moov" {
                readMovie(box.data)
            } else if box.type == "uuid", file.bytes(at: box.data.lowerBound, 16) == Self.preview {
                // Skips eight bytes of counts before the inner box.
                for inner in boxes(box.data.dropFirst(24)) where inner.type == "PRVW" {
                    addPicture(inner.data, lengthAt: 12)
                }
            }
        }
    }

    private mutating func readMovie(_ data: Range<Int>) {
        for box in boxes(data) {
            if box.type == "trak" {
                readTrack(box.data)
            } else if box.type == "uuid", file.bytes(at: box.data.lowerBound, 16) == Self.canon {
                for inner in boxes(box.data.dropFirst(16)) {
                    if inner.type.hasPrefix("CMT") {
                        let directory = FilePieces(
                            file.bytes(at: inner.data.lowerBound, min(inner.data.count, Self.maxHeader)))
                        if inner.type == "CMT1" {
                            contents.orientation = TIFFDirectory.all(directory).first?.orientation
                        }
                        readExif(inner.type, directory)
                    } else if inner.type == "THMB" {
                        addPicture(inner.data, lengthAt: 8)
                    }
                }
            }
        }
    }

    private mutating func readExif(_ type: String, _ file: FilePieces) {
        guard let tiff = TIFFStructure(file) else { return }
        let directory = tiff.directory(at: tiff.first)
        switch type {
        case "CMT1": exif.readMain(tiff, directory)
        case "CMT2": exif.readExif(tiff, directory)
        case "CMT4": exif.readGPS(tiff, directory)
        default: break
        }
    }

    /// Adds a JPEG that begins 16 bytes after the start of the box. Its length is at `place`, before the JPEG.
    private mutating func addPicture(_ data: Range<Int>, lengthAt place: Int) {
        var reader = ByteReader(file.bytes(at: data.lowerBound + place, 4))
        guard let length = reader.number(4, bigEndian: true) else { return }
        contents.previews.append(data.lowerBound + 16..<data.lowerBound + 16 + length)
    }

    /// Reads only the first sample of a track. The tracks of CR3 have one sample each.
    private mutating func readTrack(_ data: Range<Int>) {
        var length: Int?, offset: Int?
        var open = [data]
        var steps = 0
        while let next = open.popLast(), steps < Self.maxBoxes {
            for box in boxes(next) {
                steps += 1
                var reader = ByteReader(file.bytes(at: box.data.lowerBound, 24))
                switch box.type {
                case "mdia", "minf", "stbl": open.append(box.data)
                case "stsz":
                    guard reader.skip(4), let size = reader.number(4, bigEndian: true), reader.skip(4) else { continue }
                    length = size > 0 ? size : reader.number(4, bigEndian: true)
                case "co64":
                    guard reader.skip(8), reader.number(4, bigEndian: true) == 0 else { continue }
                    offset = reader.number(4, bigEndian: true)
                case "stco":
                    guard reader.skip(8) else { continue }
                    offset = reader.number(4, bigEndian: true)
                default: continue
                }
            }
        }
        if let offset, let length, length > 0 { contents.previews.append(offset..<offset + length) }
    }

    /// Returns the boxes in a part of the file. Reads only their heads.
    private func boxes(_ range: Range<Int>) -> [(type: String, data: Range<Int>)] {
        var found: [(type: String, data: Range<Int>)] = []
        var place = range.lowerBound
        while place < range.upperBound, found.count < Self.maxBoxes {
            var reader = ByteReader(file.bytes(at: place, 16))
            guard var length = reader.number(4, bigEndian: true), let type = reader.tag() else { break }
            var head = 8
            if length == 1 {
                guard let high = reader.number(4, bigEndian: true), high < 1 << 31,
                    let low = reader.number(4, bigEndian: true)
                else { break }
                length = high << 32 | low
                head = 16
            } else if length == 0 {
                length = range.upperBound - place
            }
            guard length >= head, length <= range.upperBound - place else { break }
            found.append((type, place + head..<place + length))
            place += length
        }
        return found
    }

    private static func uuid(_ digits: String) -> [UInt8] {
        let nibbles = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: nibbles.count - 1, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}
