package struct TIFFPicture: Sendable, Equatable {
    /// Offset of the picture's directory.
    package var offset: Int
    /// Width in pixels as stored.
    package var width: Int
    /// Height in pixels as stored.
    package var height: Int
}

extension PictureHeader {
    /// Reads the directories (TIFF 6.0). The main picture is the first that is not a reduced version. Reduced versions of the same
    /// proportions may replace it for small thumbnails.
    mutating func readTIFF(_ file: FilePieces) throws(RenderError) {
        let found = TIFFStructure(file)?.directories ?? []
        guard !found.isEmpty else { throw .headerEnds(.tiff) }
        func isReduced(_ directory: TIFFDirectory) -> Bool { (directory.number(.subfileType) ?? 0) & 1 == 1 }
        guard let main = found.first(where: { !isReduced($0) && $0.picture != nil }) ?? found.first,
            let picture = main.picture
        else { throw .broken("TIFF without a picture") }
        width = picture.width
        height = picture.height
        orientation = main.orientation ?? .up
        if let entry = main[.profile], entry.offset + entry.count <= file.count {
            profile = [entry.offset..<entry.offset + entry.count]
        }
        let reduced = found.filter(isReduced).compactMap(\.picture).filter { small in
            let across = small.width * picture.height, down = small.height * picture.width
            return small.offset != picture.offset && small.width < picture.width
                && abs(across - down) * 50 <= max(across, down)
        }
        directories = [picture] + reduced.sorted { $0.width > $1.width }
    }
}

extension TIFFDirectory {
    /// Longest side that is accepted, in pixels. Products of two sides are compared.
    private static let maximumPixels = 1 << 28

    fileprivate var picture: TIFFPicture? {
        guard let width = number(.width), let height = number(.height), 1...Self.maximumPixels ~= width,
            1...Self.maximumPixels ~= height
        else { return nil }
        return TIFFPicture(offset: offset, width: width, height: height)
    }
}
