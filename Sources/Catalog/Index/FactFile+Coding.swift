import PhotoFacts
import Pictures

extension FactFile {
    func write(to frame: inout FrameWriter) {
        frame.text(path)
        frame.number(Int(modified))
        frame.number(offset)
        for part in [head, xmp, takeout] { frame.number(part?.count ?? -1) }
        frame.number(videos.count)
        for video in videos {
            frame.number(video.part.count)
            frame.text(video.motion.rawValue)
        }
    }

    /// - Parameter descriptors: the first are this one's, and are taken off.
    init?(_ frame: inout FrameReader, _ descriptors: inout ArraySlice<Int32>) {
        func part(_ count: Int, _ descriptors: inout ArraySlice<Int32>) -> Part? {
            guard count >= 0, let descriptor = descriptors.popFirst() else { return nil }
            return Part(descriptor: descriptor, count: count)
        }
        guard let path = frame.text(), let modified = frame.number(), let offset = frame.number(),
            let length = frame.number(), let xmp = frame.number(), let takeout = frame.number(),
            let videos = frame.number(), let head = part(length, &descriptors)
        else { return nil }
        self.init(path: path, modified: Int64(modified), offset: offset, head: head)
        self.xmp = part(xmp, &descriptors)
        self.takeout = part(takeout, &descriptors)
        for _ in 0..<videos {
            guard let count = frame.number(), let motion = frame.text().flatMap(PictureFacts.Motion.init),
                let video = part(count, &descriptors)
            else { return nil }
            self.videos.append((video, motion))
        }
    }
}

/// As a worker answers. It may have been taken over by a file: nothing that it says is believed beyond what a file may say.
extension FactFile.Findings {
    func write(to frame: inout FrameWriter) {
        func number(_ value: Int?) { frame.number(value ?? Int.min) }
        func text(_ value: String?) { frame.text(value ?? "") }
        func double(_ value: Double?) { frame.number(value ?? .nan) }
        let taken = facts.taken
        for value in [
            taken?.year, taken?.month, taken?.day, taken?.hour, taken?.minute, taken?.second, taken?.millisecond,
            taken?.offset,
        ] { number(value) }
        text(facts.takenSource?.rawValue)
        for value in [facts.camera.make, facts.camera.model, facts.camera.lens, facts.description] { text(value) }
        for value in [
            facts.exposure.seconds, facts.exposure.aperture, facts.exposure.focalLength, facts.location?.latitude,
            facts.location?.longitude, facts.location?.altitude, facts.duration,
        ] { double(value) }
        for value in [facts.exposure.iso, facts.rating, facts.width, facts.height] { number(value) }
        text(facts.mediaType)
        text(facts.motion?.rawValue)
        number(preview?.lowerBound)
        number(preview?.upperBound)
        number(Int(orientation.rawValue))
    }

    private static let longestText = 16 << 10
    private static let mediaTypes = Set(PictureKind.allCases.map(\.mediaType))

    /// - Parameter file: the one that was asked about.
    init?(_ frame: inout FrameReader, of file: FactFile) {
        facts = PictureFacts()
        var isWhole = true
        func number() -> Int? {
            guard let value = frame.number() else {
                isWhole = false
                return nil
            }
            return value == Int.min ? nil : value
        }
        func text() -> String? {
            guard let value = frame.text(), value.utf8.count <= Self.longestText else {
                isWhole = false
                return nil
            }
            return value.isEmpty ? nil : value
        }
        func double(_ range: ClosedRange<Double> = 0...1e15) -> Double? {
            guard let value = frame.double() else {
                isWhole = false
                return nil
            }
            return range.contains(value) ? value : nil
        }
        func within(_ range: ClosedRange<Int>) -> Int? { number().flatMap { range.contains($0) ? $0 : nil } }
        let (year, month, day) = (number(), number(), number())
        let (hour, minute, second, millisecond, offset) = (number(), number(), number(), number(), number())
        if let year, let month, let day, let hour, let minute, let second, let millisecond {
            facts.taken = DateTaken(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second,
                millisecond: millisecond, offset: offset)
        }
        let source = text().flatMap(PictureFacts.DateSource.init)
        facts.takenSource = facts.taken == nil ? nil : source
        if facts.takenSource == nil { facts.taken = nil }
        facts.camera = PictureFacts.Camera(make: text(), model: text(), lens: text())
        facts.description = text()
        (facts.exposure.seconds, facts.exposure.aperture) = (double(), double())
        facts.exposure.focalLength = double()
        let latitude = double(-90...90), longitude = double(-180...180), altitude = double(-1e9...1e9)
        if let latitude, let longitude {
            facts.location = PictureFacts.Location(latitude: latitude, longitude: longitude, altitude: altitude)
        }
        facts.duration = double()
        facts.exposure.iso = within(0...Int(UInt32.max))
        facts.rating = within(0...5)
        (facts.width, facts.height) = (within(0...Int(UInt32.max)), within(0...Int(UInt32.max)))
        facts.mediaType = text().flatMap { Self.mediaTypes.contains($0) ? $0 : nil }
        facts.motion = text().flatMap(PictureFacts.Motion.init)
        let start = within(0...file.head.count), end = within(0...file.head.count)
        if let start, let end, start <= end { preview = start..<end }
        orientation = number().flatMap { UInt8(exactly: $0) }.flatMap(Orientation.init(rawValue:)) ?? .up
        guard isWhole else { return nil }
        facts.bytes = file.head.count
        facts.added = Int64((Double(file.modified) / 1e9).rounded(.down))
    }
}
