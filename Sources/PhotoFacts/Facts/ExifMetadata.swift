import Numbers

/// The EXIF metadata of a picture (CIPA DC-008, 4.6).
package struct ExifMetadata: Sendable, Equatable {
    /// When the shutter was released, otherwise when the picture was digitized.
    package private(set) var taken: DateTaken?
    /// When a program last changed the file.
    package private(set) var changed: DateTaken?
    /// Time from the GPS satellites, in UTC.
    package private(set) var gpsTime: DateTaken?
    package private(set) var camera = PictureFacts.Camera()
    package private(set) var exposure = PictureFacts.Exposure()
    package private(set) var location: PictureFacts.Location?
    package private(set) var description: String?
    /// 0 ... 5 stars.
    package private(set) var rating: Int?
    package internal(set) var orientation: Orientation?
    /// Identifier that Apple's phones write into both files of a Live Photo.
    package private(set) var contentIdentifier: String?

    init() {}

    init(_ tiff: TIFFStructure) { self.init(tiff, tiff.directory(at: tiff.first)) }

    /// - Parameter main: first directory of the structure.
    init(_ tiff: TIFFStructure, _ main: TIFFStructure.Directory) {
        readMain(tiff, main)
        if let offset = tiff.number(main[.exif]) { readExif(tiff, tiff.directory(at: offset)) }
        // Some programs write everything into the first directory.
        if taken == nil, exposure.seconds == nil, camera.lens == nil, contentIdentifier == nil { readExif(tiff, main) }
        if let offset = tiff.number(main[.gps]) { readGPS(tiff, tiff.directory(at: offset)) }
    }

    /// Reads an EXIF chunk. Some programs start the chunk with the prefix that EXIF has in JPEG.
    package init?(chunk bytes: [UInt8]) {
        let prefix = Array("Exif\0\0".utf8)
        let skipped = bytes.starts(with: prefix) ? prefix.count : 0
        guard let tiff = TIFFStructure(bytes, skipped..<bytes.count) else { return nil }
        self.init(tiff)
    }

    mutating func readMain(_ tiff: TIFFStructure, _ directory: TIFFStructure.Directory) {
        camera.make = tiff.text(directory[.make])
        camera.model = tiff.text(directory[.model])
        changed = tiff.date(directory, .dateTime, nil, nil)
        orientation = tiff.number(directory[.orientation]).flatMap { UInt8(exactly: $0) }.flatMap(
            Orientation.init(rawValue:))
        rating = tiff.number(directory[.rating]).flatMap { 0...5 ~= $0 ? $0 : nil }
        description = tiff.text(directory[.imageDescription], maximum: XMPMetadata.longestDescription).flatMap { text in
            Self.isCameraName(text) ? nil : text
        }
    }

    mutating func readExif(_ tiff: TIFFStructure, _ directory: TIFFStructure.Directory) {
        taken =
            tiff.date(directory, .dateTimeOriginal, .subSecTimeOriginal, .offsetTimeOriginal)
            ?? tiff.date(directory, .dateTimeDigitized, .subSecTimeDigitized, .offsetTimeDigitized)
        func positive(_ tag: TIFFStructure.Tag) -> Double? {
            tiff.rational(directory[tag]).flatMap { $0 > 0 ? $0 : nil }
        }
        exposure.seconds = positive(.exposureTime)
        exposure.aperture = positive(.fNumber)
        exposure.focalLength = positive(.focalLength)
        contentIdentifier = tiff.data(directory[.makerNote], startingWith: AppleMakerNote.beginning).flatMap {
            AppleMakerNote.contentIdentifier($0)
        }
        let sensitivity = tiff.number(directory[.sensitivity])
        // The tag cannot store more than 65,535. For a higher value, another tag contains it.
        exposure.iso = sensitivity == 65_535 ? tiff.number(directory[.recommendedExposureIndex]) ?? 65_535 : sensitivity
        if exposure.iso == 0 { exposure.iso = nil }
        // Some phones write make and model here.
        camera.make = camera.make ?? tiff.text(directory[.make])
        camera.model = camera.model ?? tiff.text(directory[.model])
        camera.lens = tiff.text(directory[.lensModel]).flatMap { name in
            name.contains { $0.isLetter || $0.isNumber } ? name : nil
        }
    }

    mutating func readGPS(_ tiff: TIFFStructure, _ directory: TIFFStructure.Directory) {
        func degrees(_ tag: TIFFStructure.Tag, _ reference: TIFFStructure.Tag, _ maximum: Double, negative: String)
            -> Double?
        {
            let parts = tiff.text(directory[tag]).flatMap(Self.parts)
            guard let whole = parts?[0] ?? tiff.rational(directory[tag]) else { return nil }
            let minutes = parts?[1] ?? tiff.rational(directory[tag], 1) ?? 0
            let seconds = parts?[2] ?? tiff.rational(directory[tag], 2) ?? 0
            let value = whole + minutes / 60 + seconds / 3600
            guard 0...maximum ~= value else { return nil }
            return tiff.text(directory[reference])?.uppercased().hasPrefix(negative) == true ? -value : value
        }
        if let latitude = degrees(.latitude, .latitudeReference, 90, negative: "S"),
            let longitude = degrees(.longitude, .longitudeReference, 180, negative: "W"),
            // Receivers that have no position yet write 0, 0.
            latitude != 0 || longitude != 0
        {
            let isBelow = tiff.byte(directory[.altitudeReference]) == 1
            let altitude = tiff.rational(directory[.altitude]).map { isBelow ? -$0 : $0 }
            location = PictureFacts.Location(latitude: latitude, longitude: longitude, altitude: altitude)
        }
        guard let day = tiff.text(directory[.gpsDate]), let hour = tiff.rational(directory[.gpsTime]),
            let minute = tiff.rational(directory[.gpsTime], 1), let second = tiff.rational(directory[.gpsTime], 2)
        else { return }
        let numbers = day.prefix(10).split { $0 == ":" || $0 == "-" }.compactMap { Int($0) }
        guard numbers.count == 3, 0..<24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second else { return }
        let milliseconds = Int(clamping: second * 1000)
        gpsTime = DateTaken(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: Int(clamping: hour),
            minute: Int(clamping: minute),
            second: milliseconds / 1000, millisecond: milliseconds % 1000, offset: 0)
    }

    /// Parses degrees, minutes and seconds from text such as `47, 22, 12.5`, as some phones write them. Returns `nil` for other texts.
    private static func parts(_ text: String) -> [Double]? {
        let numbers = text.split { !"0123456789./-".contains($0) }.map { XMPMetadata.number(String($0)) }
        guard 1...3 ~= numbers.count, !numbers.contains(nil) else { return nil }
        let parts = numbers.compactMap { $0 } + [0, 0]
        return parts[1] < 60 && parts[2] < 60 && parts.allSatisfy { $0 >= 0 } ? parts : nil
    }

    /// Whether the text is a description that some cameras write into every picture.
    private static func isCameraName(_ text: String) -> Bool {
        let text = text.uppercased()
        return text == "SONY DSC" || text == "EXIF_JPEG_PICTURE" || text.hasSuffix("DIGITAL CAMERA")
            || text.hasPrefix("DCIM\\") || text.hasPrefix("<DIGIMAX") || text == "MINOLTA DSC" || text == "DEFAULT"
    }
}

/// Apple's maker note in EXIF: a directory whose offsets count from the note's first byte.
package enum AppleMakerNote {
    static let beginning = Array("Apple iOS\0".utf8)
    /// Maximum number of entries to examine. Phones write about forty.
    private static let maximumEntries = 128
    /// Tag of the content identifier, and the type number of a text.
    private static let identifier = 0x11, text = 2

    /// Returns the identifier that a picture shares with the video of its Live Photo, or `nil` if there is none.
    package static func contentIdentifier(_ note: [UInt8]) -> String? {
        // A version and the byte order follow the prefix.
        guard note.starts(with: beginning) else { return nil }
        var reader = ByteReader(note)
        guard reader.skip(14), let count = reader.number(2, bigEndian: true) else { return nil }
        for _ in 0..<min(count, maximumEntries) {
            guard let tag = reader.number(2, bigEndian: true), let type = reader.number(2, bigEndian: true),
                let length = reader.number(4, bigEndian: true), let offset = reader.number(4, bigEndian: true)
            else { return nil }
            guard tag == identifier, type == text, 5...64 ~= length, offset <= note.count - length else { continue }
            let value = String(decoding: note[offset..<offset + length].prefix { $0 != 0 }, as: UTF8.self).cleaned
            return value.isEmpty ? nil : value
        }
        return nil
    }
}
