/// The EXIF and XMP in the chunks of a PNG or a WebP, or in the blocks of a GIF, which may lie behind the picture: only the chunks'
/// heads are read on the way.
struct MetadataChunks {
    private(set) var exif: [UInt8]?
    private(set) var xmp: [UInt8]?
    /// Resources of Photoshop's.
    private(set) var iptc: [UInt8]?
    /// EXIF where no other program looks for it: it turns no picture.
    private(set) var hiddenEXIF: [UInt8]?

    /// Chunks that are looked at: some programs cut a PNG's picture into pieces of 8 kB.
    private static let mostChunks = 1_024
    /// Bytes of a chunk that are read.
    private static let longest = 1 << 18
    /// Maximum number of texts of a PNG that are read as profiles or inflated: each may inflate to a megabyte.
    private static let mostProfiles = 5
    /// Keyword of a text that is XMP, and the zero behind it.
    private static let xmpKeyword = Array("XML:com.adobe.xmp\0".utf8)

    /// Walks a PNG (W3C PNG, 5).
    init(png file: FilePieces) {
        var place = 8
        var profiles = 0
        for _ in 0..<Self.mostChunks where exif == nil || xmp == nil {
            var reader = ByteReader(file.bytes(at: place, 8))
            guard let length = reader.number(4, bigEndian: true), let type = reader.tag(), type != "IEND" else {
                return
            }
            if type == "eXIf", exif == nil {
                exif = file.bytes(at: place + 8, min(length, Self.longest))
            } else if ["iTXt", "tEXt", "zTXt"].contains(type) {
                readText(type, file, place + 8, min(length, Self.longest), &profiles)
            }
            place += 12 + length
        }
    }

    /// Reads a text of a PNG (W3C PNG, 11.3.4) if it is XMP or a profile.
    ///
    /// - Parameter profiles: how many texts have been inflated or read as profiles.
    private mutating func readText(
        _ type: String, _ file: FilePieces, _ place: Int, _ length: Int, _ profiles: inout Int
    ) {
        let beginning = file.bytes(at: place, min(length, RawProfile.longestKeyword))
        if beginning.starts(with: Self.xmpKeyword) {
            let isCompressed = type == "zTXt" || type == "iTXt" && beginning.dropFirst(Self.xmpKeyword.count).first == 1
            guard xmp == nil, !isCompressed || profiles < Self.mostProfiles else { return }
            if isCompressed { profiles += 1 }
            let text = file.bytes(at: place, length).dropFirst(Self.xmpKeyword.count)
            let packet: ArraySlice<UInt8>
            switch type {
            case "tEXt": packet = text
            // Behind the number of the only method.
            case "zTXt": packet = text.dropFirst()
            // Behind two numbers for the compression, a language and the keyword in that language.
            default: packet = text.dropFirst(2).drop { $0 != 0 }.dropFirst().drop { $0 != 0 }.dropFirst()
            }
            xmp = isCompressed ? RawProfile.expanded(Array(packet)) : Array(packet)
        } else if type != "iTXt", profiles < Self.mostProfiles, RawProfile.isKeyword(beginning) {
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
        var place = 12
        for _ in 0..<Self.mostChunks where exif == nil || xmp == nil {
            var reader = ByteReader(file.bytes(at: place, 8))
            guard let type = reader.tag(), let length = reader.number(4, bigEndian: false) else { return }
            if type == "EXIF", exif == nil { exif = file.bytes(at: place + 8, min(length, Self.longest)) }
            if type == "XMP ", xmp == nil { xmp = file.bytes(at: place + 8, min(length, Self.longest)) }
            place += 8 + length + length % 2
        }
    }

    /// Walks a GIF (GIF89a, 26; the XMP Specification, part 3, 1.1.2) as far as its first frame: there programs write it.
    init(gif file: FilePieces) {
        let screen = file.bytes(at: 0, 13)
        guard screen.count == 13 else { return }
        let hasColors = screen[10] & 0x80 != 0
        var place = 13 + (hasColors ? 3 << (Int(screen[10] & 7) + 1) : 0)
        let name = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)
        for _ in 0..<Self.mostChunks {
            let head = file.bytes(at: place, name.count)
            // Anything but an extension begins the picture.
            guard head.count > 3, head[0] == 0x21 else { return }
            if head == name {
                // The packet is not cut into pieces: behind it bytes from 255 down to 0 lead any reader to its end.
                let rest = file.bytes(at: place + name.count, Self.longest)
                xmp = rest.firstRange(of: [1, 0xFF, 0xFE, 0xFD]).map { Array(rest[..<$0.lowerBound]) }
                return
            }
            place += 2
            // Pieces that each tell their length; the last has none.
            for _ in 0..<Self.mostChunks {
                guard let length = file.bytes(at: place, 1).first else { return }
                place += 1 + Int(length)
                if length == 0 { break }
            }
        }
    }
}
