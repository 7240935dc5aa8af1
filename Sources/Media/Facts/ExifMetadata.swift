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

    /// - Parameter main: first directory of a TIFF structure.
    init(_ main: TIFFDirectory) {
        readMain(main)
        if let directory = main.directory(.exif) { readExif(directory) }
        // Some programs write everything into the first directory.
        if taken == nil, exposure.seconds == nil, camera.lens == nil, contentIdentifier == nil { readExif(main) }
        if let directory = main.directory(.gps) { readGPS(directory) }
    }

    /// Reads an EXIF chunk. Some programs start the chunk with the prefix that EXIF has in JPEG.
    package init?(chunk bytes: [UInt8]) {
        let skipped = bytes.starts(with: JPEGSegments.exif) ? JPEGSegments.exif.count : 0
        guard let tiff = TIFFStructure(FilePieces(bytes, skipped..<bytes.count)) else { return nil }
        self.init(tiff.directory(at: tiff.first))
    }

    mutating func readMain(_ directory: TIFFDirectory) {
        camera.make = directory.text(.make)
        camera.model = directory.text(.model)
        changed = directory.date(.dateTime)
        orientation = directory.orientation
        rating = directory.number(.rating).flatMap { 0...5 ~= $0 ? $0 : nil }
        description = directory.text(.imageDescription, maximum: XMPMetadata.longestDescription).flatMap { text in
            Self.isCameraName(text) ? nil : text
        }
    }

    mutating func readExif(_ directory: TIFFDirectory) {
        taken =
            directory.date(.dateTimeOriginal, .subSecTimeOriginal, .offsetTimeOriginal)
            ?? directory.date(.dateTimeDigitized, .subSecTimeDigitized, .offsetTimeDigitized)
        func positive(_ tag: TIFFDirectory.Tag) -> Double? {
            directory.rational(tag).flatMap { $0 > 0 ? $0 : nil }
        }
        exposure.seconds = positive(.exposureTime)
        exposure.aperture = positive(.fNumber)
        exposure.focalLength = positive(.focalLength)
        contentIdentifier = directory.data(.makerNote, startingWith: AppleMakerNote.beginning).flatMap {
            AppleMakerNote.contentIdentifier($0)
        }
        let sensitivity = directory.number(.sensitivity)
        // The tag cannot store more than 65,535. For a higher value, another tag contains it.
        exposure.iso = sensitivity == 65_535 ? directory.number(.recommendedExposureIndex) ?? 65_535 : sensitivity
        if exposure.iso == 0 { exposure.iso = nil }
        // Some phones write make and model here.
        camera.make = camera.make ?? directory.text(.make)
        camera.model = camera.model ?? directory.text(.model)
        camera.lens = directory.text(.lensModel).flatMap { name in
            name.contains { $0.isLetter || $0.isNumber } ? name : nil
        }
    }

    mutating func readGPS(_ directory: TIFFDirectory) {
        func degrees(_ tag: TIFFDirectory.Tag, _ reference: TIFFDirectory.Tag, _ maximum: Double, negative: String)
            -> Double?
        {
            let parts = directory.text(tag).flatMap(Self.parts)
            guard let whole = parts?[0] ?? directory.rational(tag) else { return nil }
            let minutes = parts?[1] ?? directory.rational(tag, 1) ?? 0
            let seconds = parts?[2] ?? directory.rational(tag, 2) ?? 0
            let value = whole + minutes / 60 + seconds / 3600
            guard 0...maximum ~= value else { return nil }
            return directory.text(reference)?.uppercased().hasPrefix(negative) == true ? -value : value
        }
        if let latitude = degrees(.latitude, .latitudeReference, 90, negative: "S"),
            let longitude = degrees(.longitude, .longitudeReference, 180, negative: "W"),
            // Receivers that have no position yet write 0, 0.
            latitude != 0 || longitude != 0
        {
            let isBelow = directory.number(.altitudeReference) == 1
            let altitude = directory.rational(.altitude).map { isBelow ? -$0 : $0 }
            location = PictureFacts.Location(latitude: latitude, longitude: longitude, altitude: altitude)
        }
        guard let day = directory.text(.gpsDate), let hour = directory.rational(.gpsTime),
            let minute = directory.rational(.gpsTime, 1), let second = directory.rational(.gpsTime, 2)
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

    /// Returns the identifier that a picture shares with the video of its Live Photo, or `nil` if there is none.
    package static func contentIdentifier(_ note: [UInt8]) -> String? {
        guard note.starts(with: beginning) else { return nil }
        // A version and the byte order follow the prefix.
        let tiff = TIFFStructure(note: FilePieces(note), base: 0, isBigEndian: true)
        let directory = tiff.directory(at: beginning.count + 4)
        guard let entry = directory[.appleContentIdentifier], 5...64 ~= entry.count else { return nil }
        return directory.text(.appleContentIdentifier)
    }
}
