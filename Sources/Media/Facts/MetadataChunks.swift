/// The EXIF and XMP in the chunks of a PNG or a WebP, or in the blocks of a GIF. They may follow the picture. Of the chunks before them,
/// only the heads are read.
struct MetadataChunks {
    private(set) var exif: [UInt8]?
    private(set) var xmp: [UInt8]?
    /// Photoshop resources, which may contain IPTC.
    private(set) var iptc: [UInt8]?
    /// EXIF from a text chunk that no other program reads. Its orientation is ignored.
    private(set) var hiddenEXIF: [UInt8]?

    /// Maximum number of bytes to read of a chunk.
    private static let longest = 1 << 18
    /// Maximum number of a PNG's texts that are read as profiles or inflated. Each may inflate to a megabyte.
    private static let maximumProfiles = 5
    /// Keyword of a text that contains XMP, and the zero byte after it.
    private static let xmpKeyword = Array("XML:com.adobe.xmp\0".utf8)

    /// Walks a PNG (W3C PNG, 5).
    init(png file: FilePieces) {
        var profiles = 0
        for chunk in Chunks(png: file) where exif == nil || xmp == nil {
            let start = chunk.data.lowerBound, length = min(chunk.length, Self.longest)
            switch chunk.type {
            case "IEND": return
            case "eXIf" where exif == nil: exif = file.bytes(at: start, length)
            case "iTXt", "tEXt", "zTXt": readText(chunk.type, file, start, length, &profiles)
            default: break
            }
        }
    }

    /// Reads a text of a PNG (W3C PNG, 11.3.4) if it is XMP or a profile.
    ///
    /// - Parameter profiles: number of texts inflated or read as profiles so far.
    private mutating func readText(
        _ type: FourCC, _ file: FilePieces, _ place: Int, _ length: Int, _ profiles: inout Int
    ) {
        let beginning = file.bytes(at: place, min(length, RawProfile.longestKeyword))
        if beginning.starts(with: Self.xmpKeyword) {
            let isCompressed = type == "zTXt" || type == "iTXt" && beginning.dropFirst(Self.xmpKeyword.count).first == 1
            guard xmp == nil, !isCompressed || profiles < Self.maximumProfiles else { return }
            if isCompressed { profiles += 1 }
            let text = file.bytes(at: place, length).dropFirst(Self.xmpKeyword.count)
            let packet: ArraySlice<UInt8>
            switch type {
            case "tEXt": packet = text
            // Skips the number of the compression method. There is only one.
            case "zTXt": packet = text.dropFirst()
            // Skips two numbers about the compression, a language, and the keyword in that language.
            default: packet = text.dropFirst(2).drop { $0 != 0 }.dropFirst().drop { $0 != 0 }.dropFirst()
            }
            xmp = isCompressed ? RawProfile.expanded(Array(packet)) : Array(packet)
        } else if type != "iTXt", profiles < Self.maximumProfiles, RawProfile.isKeyword(beginning) {
            profiles += 1
            take(RawProfile(file.bytes(at: place, length), isCompressed: type == "zTXt"))
        }
    }

    private mutating func take(_ profile: RawProfile?) {
        switch profile {
        case .exif(let bytes): hiddenEXIF = hiddenEXIF ?? bytes
        case .xmp(let bytes): xmp = xmp ?? bytes
        case .iptc(let bytes): iptc = iptc ?? bytes
        case nil: break
        }
    }

    /// Walks a WebP (RFC 9649).
    init(webp file: FilePieces) {
        for chunk in Chunks(webp: file) where exif == nil || xmp == nil {
            func contents() -> [UInt8] { file.bytes(at: chunk.data.lowerBound, min(chunk.length, Self.longest)) }
            if chunk.type == "EXIF", exif == nil { exif = contents() }
            if chunk.type == "XMP ", xmp == nil { xmp = contents() }
        }
    }

    /// Walks a GIF (GIF89a, 26; the XMP Specification, part 3, 1.1.2) up to its first frame. Programs write XMP before the first frame.
    init(gif file: FilePieces) {
        let screen = file.bytes(at: 0, 13)
        guard screen.count == 13 else { return }
        let hasColors = screen[10] & 0x80 != 0
        var place = 13 + (hasColors ? 3 << (Int(screen[10] & 7) + 1) : 0)
        let name = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)
        while true {
            let head = file.bytes(at: place, name.count)
            // Any block other than an extension begins the picture.
            guard head.count > 3, head[0] == 0x21 else { return }
            if head == name {
                // The packet is not split into pieces. The bytes 1, 255, 254 … 0 follow the packet and lead every reader to its end.
                let rest = file.bytes(at: place + name.count, Self.longest)
                xmp = rest.firstRange(of: [1, 0xFF, 0xFE, 0xFD]).map { Array(rest[..<$0.lowerBound]) }
                return
            }
            place += 2
            // Each piece starts with its length. A length of 0 ends the list.
            while true {
                guard let length = file.bytes(at: place, 1).first else { return }
                place += 1 + Int(length)
                if length == 0 { break }
            }
        }
    }
}
