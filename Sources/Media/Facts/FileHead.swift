/// A picture file's header and metadata, read without decoding: its size, when and with which camera it was taken, and the position of its
/// preview.
///
/// Reads the start of the file and a few other places. Every offset is checked, and no count in the file is trusted.
package struct FileHead: Sendable, Equatable {
    package private(set) var kind: PictureKind
    /// Width of the upright picture in pixels. 0 if unknown.
    package private(set) var width = 0
    /// Height of the upright picture in pixels. 0 if unknown.
    package private(set) var height = 0
    package private(set) var orientation = Orientation.up
    /// Position of the smallest preview, a complete JPEG inside the file.
    package private(set) var preview: Range<Int>?
    package private(set) var exif: ExifMetadata?
    package private(set) var xmp: XMPMetadata?
    /// The day on which the picture was created, as archives and agencies write it.
    package private(set) var iptc: DateTaken?
    /// Position of the video that follows the picture in the file, as in Google's motion photos.
    package private(set) var video: Range<Int>?
    /// Header of the file, if the file is a video.
    package private(set) var film: QuickTimeHeader?

    /// - Returns: `nil` if the file is not a picture or a video, or its header cannot be read.
    package init?(_ file: FilePieces) {
        let beginning = file.bytes(at: 0, JPEGHead.length)
        guard let kind = try? PictureKind(beginning) else { return nil }
        self.kind = kind
        switch kind {
        case .jpeg:
            guard let head = JPEGHead(beginning) else { return nil }
            read(head, file)
        case .raw, .tiff:
            if let container = RAWPicture.Container(beginning), container.isRAW(file) {
                self.kind = .raw
                read(container, file)
            } else {
                guard let header = try? PictureHeader(tiff: file) else { return nil }
                take(TIFFStructure(file))
                take(header)
            }
        case .video:
            guard let header = QuickTimeHeader(file) else { return nil }
            film = header
            guard let picture = header.picture else { return }
            let swaps = picture.orientation.swapsSides
            (width, height) = swaps ? (picture.height, picture.width) : (picture.width, picture.height)
            orientation = picture.orientation
        case .heic, .avif:
            guard let items = try? HEIFItems(file, kind), let header = try? PictureHeader(kind, items) else {
                return nil
            }
            exif = items.exif.flatMap { ExifMetadata(chunk: $0) }
            xmp = items.xmp.map { XMPMetadata($0) }
            take(header)
        case .jxl:
            let boxes = JXLFile(file)
            guard let header = try? PictureHeader(boxes.codestream) else { return nil }
            exif = boxes.exif.flatMap { ExifMetadata(chunk: $0) }
            xmp = boxes.xmp.map { XMPMetadata($0) }
            take(header)
        case .png, .webp, .gif, .bmp:
            guard let header = try? PictureHeader(beginning) else { return nil }
            switch kind {
            case .png: take(MetadataChunks(png: file))
            case .webp: take(MetadataChunks(webp: file))
            case .gif: take(MetadataChunks(gif: file))
            default: break
            }
            take(header)
        }
        video = Self.video(in: file, lengths: xmp?.videoLengths ?? [])
    }

    /// Returns the position of a video whose length before the file's end is one of `lengths`. Checks for the video's first box, because
    /// programs that cut the video off leave the length in the metadata.
    private static func video(in file: FilePieces, lengths: [Int]) -> Range<Int>? {
        let length = lengths.first { length in
            (9..<max(9, file.count)).contains(length)
                && file.bytes(at: file.count - length + 4, 4) == Array("ftyp".utf8)
        }
        return length.map { file.count - $0..<file.count }
    }

    private mutating func read(_ head: JPEGHead, _ file: FilePieces) {
        var head = head
        var pieces = 0
        while let next = head.nextPiece, pieces < JPEGHead.maximumPieces {
            head.read(file.bytes(at: next, head.nextLength))
            pieces += 1
        }
        (width, height, orientation) = (head.uprightWidth, head.uprightHeight, head.orientation)
        (exif, xmp, iptc, preview) = (head.exif, head.xmp, head.iptc, head.preview)
    }

    private mutating func read(_ container: RAWPicture.Container, _ file: FilePieces) {
        // A file without a preview still contains the date and the picture's size.
        let picture = try? RAWPicture(file)
        let contents = picture == nil ? container.contents(file) : nil
        if let size = picture.map({ ($0.width, $0.height) }) ?? contents?.size {
            orientation = picture?.orientation ?? contents?.orientation ?? .up
            (width, height) = orientation.swapsSides ? (size.1, size.0) : size
            preview = picture?.previews.last?.range
        }
        switch container {
        case .tiff: take(TIFFStructure(file, isRAW: true))
        case .raf:
            let jpeg = picture?.previews.first.flatMap {
                JPEGHead(file.bytes(at: $0.range.lowerBound, JPEGHead.length))
            }
            (exif, xmp) = (jpeg?.exif, jpeg?.xmp)
        case .cr3: exif = CR3Reader(file).exif
        }
    }

    private mutating func take(_ tiff: TIFFStructure?) {
        guard let main = tiff.map({ $0.directory(at: $0.first) }) else { return }
        exif = ExifMetadata(main)
        xmp = main.beginning(.xmp).map { XMPMetadata($0) }
        iptc = main.beginning(.iptc).flatMap { IPTCDate.read($0, $0.indices) }
    }

    private mutating func take(_ header: PictureHeader) {
        // EXIF may turn a PNG or WebP picture, even if it follows the picture in the file. EXIF of HEIC, AVIF and JPEG XL never does.
        orientation = [.png, .webp].contains(kind) ? exif?.orientation ?? header.orientation : header.orientation
        (width, height) =
            orientation.swapsSides ? (header.height, header.width) : (header.width, header.height)
    }

    private mutating func take(_ chunks: MetadataChunks) {
        exif = chunks.exif.flatMap { ExifMetadata(chunk: $0) }
        if exif == nil {
            exif = chunks.hiddenEXIF.flatMap { ExifMetadata(chunk: $0) }
            exif?.orientation = nil
        }
        xmp = chunks.xmp.map { XMPMetadata($0) }
        iptc = chunks.iptc.flatMap { IPTCDate.read(resources: $0, $0.indices) }
    }
}
