extension PictureRenderer {
    /// Maximum size of a preview in or beside a picture's file, in bytes.
    package static let longestPreview = 256 << 10
    /// Maximum size of a HEIC whose preview is decoded, in bytes.
    private static let longestHEIC = 16 << 20

    /// Finds the preview in a file and renders it.
    ///
    /// - Parameter readBeside: reads the upright preview that another program stored beside the file. Empty if there is none.
    func preview(in file: FilePieces, readBeside: () -> [UInt8]) -> PicturePreview {
        guard let head = FileHead(file) else { return PicturePreview() }
        var found = PicturePreview(width: head.width, height: head.height)
        guard let frame = PreviewFrame(head) else { return found }
        if let place = head.preview, place.count <= Self.longestPreview {
            found.thumbnail = preview(file.bytes(at: place.lowerBound, place.count), of: frame)
            return found
        }
        let beside = readBeside()
        if !beside.isEmpty {
            found.thumbnail = preview(beside, of: frame.upright)
        } else if head.kind == .heic, head.kind.isBuiltIn, file.count <= Self.longestHEIC {
            // Only the HEIC decoder knows the position of the preview in a file.
            found.thumbnail = preview(file.bytes(at: 0, file.count), of: frame.upright)
        }
        return found
    }

    /// Finds the preview in the beginning of a JPEG and renders it.
    ///
    /// - Parameter beginning: at least ``JPEGHead/length`` bytes.
    func preview(inBeginning beginning: [UInt8]) -> PicturePreview {
        guard let head = JPEGHead(beginning) else { return PicturePreview() }
        var found = PicturePreview(width: head.uprightWidth, height: head.uprightHeight)
        if let place = head.preview, let frame = PreviewFrame(head) {
            found.thumbnail = preview(Array(beginning[place]), of: frame)
        }
        return found
    }

    private func preview(_ bytes: [UInt8], of frame: PreviewFrame) -> Thumbnail? {
        try? previews.render(bytes, of: frame, quality: RenderOptions().quality)
    }

    /// Returns the part of a RAW file or of a video that a thumbnail of this size needs. `nil` if the whole file is needed.
    static func excerpt(of file: FilePieces, for size: ThumbnailSize) -> [UInt8]? {
        let beginning = file.bytes(at: 0, 64)
        if RAWPicture.mayBe(beginning) {
            guard let picture = try? RAWPicture(file) else { return nil }
            return picture.excerpt(for: size.size(forPicture: picture.upright.width, picture.upright.height))
        }
        return PictureKind.video.isBuiltIn && VideoFile.mayBe(beginning) ? VideoFile.excerpt(of: file) : nil
    }
}
