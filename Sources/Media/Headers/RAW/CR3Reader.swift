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
        for box in Boxes(file) {
            if box.type == "moov" {
                readMovie(box.data)
            } else if box.type == "uuid", file.bytes(at: box.data.lowerBound, 16) == Self.preview {
                // Skips eight bytes of counts before the inner box.
                for inner in Boxes(file, box.data.dropFirst(24)) where inner.type == "PRVW" {
                    addPicture(inner.data, lengthAt: 12)
                }
            }
        }
    }

    private mutating func readMovie(_ data: Range<Int>) {
        for box in Boxes(file, data) {
            if box.type == "trak" {
                readTrack(box.data)
            } else if box.type == "uuid", file.bytes(at: box.data.lowerBound, 16) == Self.canon {
                for inner in Boxes(file, box.data.dropFirst(16)) {
                    switch inner.type {
                    case "CMT1", "CMT2", "CMT4": readExif(inner.type, inner.data)
                    case "THMB": addPicture(inner.data, lengthAt: 8)
                    default: break
                    }
                }
            }
        }
    }

    private mutating func readExif(_ type: FourCC, _ data: Range<Int>) {
        let bytes = file.bytes(at: data.lowerBound, min(data.count, Self.maxHeader))
        guard let tiff = TIFFStructure(FilePieces(bytes)) else { return }
        let directory = tiff.directory(at: tiff.first)
        switch type {
        case "CMT1":
            contents.orientation = directory.orientation
            exif.readMain(directory)
        case "CMT2": exif.readExif(directory)
        default: exif.readGPS(directory)
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
            for box in Boxes(file, next) {
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

    private static func uuid(_ digits: String) -> [UInt8] {
        let nibbles = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: nibbles.count - 1, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}
