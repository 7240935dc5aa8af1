/// A camera's RAW file: its JPEG previews and their orientation. The sensor data is not read.
///
/// CR2, NEF, ARW and DNG are TIFF. ORF and RW2 are nearly TIFF. RAF and CR3 are different containers. Every offset is checked. Only
/// directories and the beginnings of previews are read.
package struct RAWPicture {
    package struct Preview {
        package var range: Range<Int>
        /// Header of the JPEG. Its offsets count from the JPEG's first byte.
        var header: PictureHeader
    }

    /// The previews, largest first. Previews of other proportions are letterboxed or cropped, so they are left out.
    let previews: [Preview]
    package let orientation: Orientation
    /// Size in pixels as stored, before ``orientation`` is applied. If the container does not state it: the size of the largest preview.
    let width: Int, height: Int
    private let file: FilePieces

    static let minPreviewBytes = 128
    private static let maxPreviews = 32

    /// Whether the bytes are a RAW file's. Some kinds can only be detected by their directories, which may be beyond the bytes.
    static func isRAW(_ bytes: [UInt8]) -> Bool { Container(bytes)?.isRAW(FilePieces(bytes)) ?? false }

    /// - Throws: ``RenderError/unsupported(_:)`` if the file has no preview.
    package init(_ file: FilePieces) throws(RenderError) {
        guard let container = Container(file.bytes(at: 0, 512)), container.isRAW(file) else {
            throw .notAPicture("not a RAW file")
        }
        let contents = container.contents(file)
        var found: [Preview] = []
        var seen: Set<Range<Int>> = []
        for range in contents.previews.prefix(Self.maxPreviews) where seen.insert(range).inserted {
            if let header = Self.header(file, range) { found.append(Preview(range: range, header: header)) }
        }
        func pixels(_ preview: Preview) -> Int { preview.header.width * preview.header.height }
        guard let largest = found.max(by: { pixels($0) < pixels($1) }) else {
            throw contents.endsEarly
                ? .truncated("the RAW file ends before its preview") : .unsupported("RAW without a preview")
        }
        orientation = contents.orientation ?? largest.header.orientation
        let size = contents.size ?? (largest.header.width, largest.header.height)
        (width, height) = size
        previews = found.filter { preview in
            let across = preview.header.width * largest.header.height,
                down = preview.header.height * largest.header.width
            return abs(across - down) * 50 <= max(across, down)
        }.sorted { pixels($0) > pixels($1) }
        self.file = file
    }

    /// Returns the smallest preview that is large enough, otherwise the largest.
    ///
    /// - Parameter target: size of the thumbnail in pixels as stored, before turning.
    package func preview(for target: (width: Int, height: Int)) -> Preview? {
        previews.last { $0.header.width >= target.width && $0.header.height >= target.height } ?? previews.first
    }

    /// Reads the header of the JPEG at the claimed position. Returns `nil` if there is no JPEG.
    private static func header(_ file: FilePieces, _ range: Range<Int>) -> PictureHeader? {
        guard range.count >= minPreviewBytes, range.upperBound <= file.count else { return nil }
        // Most JPEGs state their size early. Some have a preview of their own before it.
        for length in [1 << 12, 1 << 17, 1 << 20] {
            do throws(RenderError) {
                let bytes = file.bytes(at: range.lowerBound, min(length, range.count))
                guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
                return try PictureHeader(bytes)
            } catch {
                guard case .truncated = error, length < range.count else { return nil }
            }
        }
        return nil
    }

    /// Size in pixels as displayed.
    package var upright: (width: Int, height: Int) { orientation.swapsSides ? (height, width) : (width, height) }

    /// Returns the part of the file that a thumbnail of this displayed size needs: a DNG with one directory and one preview. A RAW file has
    /// up to 100 MB, its previews 0.01 to 6 MB.
    package func excerpt(for upright: (width: Int, height: Int)) -> [UInt8]? {
        let swaps = orientation.swapsSides
        guard let preview = preview(for: swaps ? (upright.height, upright.width) : upright) else { return nil }
        let jpeg = file.bytes(at: preview.range.lowerBound, preview.range.count)
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        func entry(_ tag: TIFFDirectory.Tag, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            little(tag.rawValue, 2) + little(type, 2) + little(count, 4) + little(value, 4)
        }
        let end = 8 + 2 + 5 * 12 + 4
        return Array("II*\0".utf8) + little(8, 4) + little(5, 2)
            + entry(.orientation, 3, 1, Int(orientation.rawValue)) + entry(.previewOffset, 4, 1, end + 8)
            + entry(.previewLength, 4, 1, jpeg.count) + entry(.dngVersion, 1, 4, 1)
            + entry(.defaultCropSize, 4, 2, end) + little(0, 4) + little(width, 4) + little(height, 4) + jpeg
    }

    /// Whether a file with this beginning may be a RAW file.
    package static func mayBe(_ beginning: [UInt8]) -> Bool { Container(beginning) != nil }
}

extension PictureHeader {
    mutating func readRAW(_ bytes: [UInt8]) throws(RenderError) {
        let picture = try RAWPicture(FilePieces(bytes))
        width = picture.width
        height = picture.height
        orientation = picture.orientation
    }
}
