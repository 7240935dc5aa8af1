/// The parts of a video file that its first frame needs: the header, wherever it is, and the beginning of the film.
package struct VideoFile {
    package let bytes: [UInt8]
    /// Range of the file that is missing in ``bytes``.
    package let gap: Range<Int>
    private let header: QuickTimeHeader

    /// Maximum number of bytes to read of the film. The first frames of 4K have one or two million bytes, the first frames of ProRes five.
    private static let maximumFilm = 8 << 20
    /// Longest header that is read, in bytes. The header of a film of several hours has some megabytes.
    private static let maximumHeader = 64 << 20
    /// First bytes of an excerpt: a private box that contains the missing range.
    private static let gapBox = [0, 0, 0, 24] + Array("gap ".utf8)
    private static let gapLength = 24

    /// - Parameter bytes: a whole file, its beginning, or the result of ``excerpt(of:)``.
    /// - Throws: ``RenderError/truncated(_:)`` if the header is beyond the last byte.
    package init(_ bytes: [UInt8]) throws(RenderError) {
        var reader = ByteReader(bytes)
        if bytes.starts(with: Self.gapBox), reader.skip(Self.gapBox.count),
            let start = reader.number(4, bigEndian: true), let long = reader.number(4, bigEndian: true),
            let length = reader.number(4, bigEndian: true), long < 1 << 30, reader.skip(4),
            start <= bytes.count - Self.gapLength
        {
            self.bytes = Array(bytes[Self.gapLength...])
            gap = start..<start + (long << 32 | length)
        } else {
            self.bytes = bytes
            gap = bytes.count..<bytes.count
        }
        guard let header = QuickTimeHeader(FilePieces(self.bytes, gap: gap)) else {
            throw .truncated("the video's header is missing")
        }
        self.header = header
    }

    /// - Throws: ``RenderError/unsupported(_:)`` if the file has no video track.
    var picture: QuickTimeHeader.Picture {
        get throws(RenderError) {
            guard let picture = header.picture else { throw .unsupported("a video without pictures") }
            return picture
        }
    }

    /// Returns the part of a file that its first frame needs. Videos have gigabytes. Their headers have some megabytes, often at the file's
    /// end.
    ///
    /// - Returns: `nil` if the file has no header, or one that is too long.
    package static func excerpt(of file: FilePieces) -> [UInt8]? {
        guard let place = QuickTimeHeader(file)?.place, place.count <= maximumHeader else { return nil }
        if place.lowerBound <= maximumFilm { return file.bytes(at: 0, place.upperBound + maximumFilm) }
        func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let missing = place.lowerBound - maximumFilm
        return gapBox + big(maximumFilm) + big(missing >> 32) + big(missing) + big(0)
            + file.bytes(at: 0, maximumFilm) + file.bytes(at: place.lowerBound, place.count)
    }

    /// Whether a file with this beginning may be a video. Old QuickTime files begin without a brand.
    package static func mayBe(_ beginning: [UInt8]) -> Bool {
        var reader = ByteReader(beginning)
        guard let length = reader.number(4, bigEndian: true), let type = reader.tag() else { return false }
        switch type {
        case "ftyp":
            while reader.offset < min(length, 256), let brand = reader.tag() {
                if brands.contains(brand) || ["iso", "mp4", "3gp", "3g2"].contains("\(brand)".prefix(3)) {
                    return true
                }
            }
            return false
        case "moov", "mdat", "wide": return length == 1 || length >= 8
        default: return beginning.starts(with: gapBox)
        }
    }

    /// Returns the media type of a video with this beginning. A video without a brand is QuickTime.
    package static func mediaType(_ beginning: [UInt8]) -> String {
        let isMP4 =
            beginning.dropFirst(4).starts(with: "ftyp".utf8) && !beginning.dropFirst(8).starts(with: "qt  ".utf8)
        return isMP4 ? "video/mp4" : "video/quicktime"
    }

    /// Returns the position of the video in a file: the whole file, or the video that follows a picture. `nil` if there is none.
    package static func place(in file: FilePieces) -> Range<Int>? {
        let beginning = file.bytes(at: 0, 512)
        return (try? PictureKind(beginning)) == .video ? 0..<file.count : FileHead(file)?.video
    }

    private static let brands: Set<FourCC> = ["qt  ", "avc1", "M4V ", "M4VH", "M4VP", "MSNV", "XAVC", "mmp4", "f4v "]
}

extension PictureHeader {
    mutating func readVideo(_ bytes: [UInt8]) throws(RenderError) {
        let picture = try VideoFile(bytes).picture
        (width, height, orientation) = (picture.width, picture.height, picture.orientation)
    }
}
