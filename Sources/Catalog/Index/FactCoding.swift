package import Media
import Numbers

/// Encodes a picture's facts in few bytes, for the index and for responses of its workers. A camera's file needs 15 to 50 bytes.
///
/// The first bits say which facts follow. Whole numbers are written with seven bits a byte, lowest bits first. The highest bit is set if
/// more bytes follow. Signed numbers alternate (0, -1, 1, -2, …). The camera, which many pictures share, and the facts from the file system
/// are stored elsewhere.
///
/// A database may be damaged, and a file may have taken over a worker. The decoder therefore accepts only values that a file may have.
package enum FactCoding {
    /// Fields that nearly every picture lacks are last, so that they need no byte.
    private enum Field: UInt64, CaseIterable {
        case taken, size, mediaType, seconds, aperture, iso, focalLength, offset, location, altitude, rating, motion,
            millisecond, description, duration, offsetSource

        var bit: UInt64 { 1 << rawValue }
    }

    private static let kinds = PictureKind.allCases
    private static let sources = PictureFacts.DateSource.allCases
    private static let offsetSources = PictureFacts.OffsetSource.allCases
    private static let motions = PictureFacts.Motion.allCases
    private static let longestText = 16 << 10

    package static func bytes(_ facts: PictureFacts) -> [UInt8] {
        var fields: UInt64 = 0
        var writer = Writer()
        func write<Value>(_ field: Field, _ value: Value?, _ body: (inout Writer, Value) -> Void) {
            guard let value else { return }
            fields |= field.bit
            body(&writer, value)
        }
        let date = facts.taken.flatMap { taken in facts.takenSource.map { (taken: taken, source: $0) } }
        write(.taken, date) {
            $0.number(UInt64(sources.firstIndex(of: $1.source) ?? 0))
            $0.signed($1.taken.wallSeconds)
        }
        write(.size, facts.width.flatMap { width in facts.height.map { [width, $0] } }) { writer, sides in
            for side in sides { writer.signed(Int64(side)) }
        }
        write(.mediaType, kinds.firstIndex { $0.mediaType == facts.mediaType }) { $0.number(UInt64($1)) }
        write(.seconds, facts.exposure.seconds) { $0.real($1) }
        write(.aperture, facts.exposure.aperture) { $0.real($1) }
        write(.iso, facts.exposure.iso) { $0.signed(Int64($1)) }
        write(.focalLength, facts.exposure.focalLength) { $0.real($1) }
        write(.offset, date?.taken.offset) { $0.signed(Int64($1)) }
        write(.location, facts.location) {
            $0.real($1.latitude)
            $0.real($1.longitude)
        }
        write(.altitude, facts.location?.altitude) { $0.real($1) }
        write(.rating, facts.rating) { $0.signed(Int64($1)) }
        write(.motion, facts.motion.flatMap(motions.firstIndex)) { $0.number(UInt64($1)) }
        write(.millisecond, date.flatMap { $0.taken.millisecond == 0 ? nil : $0.taken.millisecond }) {
            $0.signed(Int64($1))
        }
        // The decoder would reject a longer text together with all other facts.
        write(.description, facts.description.flatMap { $0.utf8.count <= longestText ? $0 : nil }) { $0.text($1) }
        write(.duration, facts.duration) { $0.real($1) }
        write(.offsetSource, date == nil ? nil : facts.offsetSource.flatMap(offsetSources.firstIndex)) {
            $0.number(UInt64($1))
        }
        var whole = Writer()
        whole.number(fields)
        return whole.bytes + writer.bytes
    }

    /// - Returns: `nil` if the bytes are not encoded facts. Values outside their ranges are left out.
    package static func facts(_ bytes: [UInt8]) -> PictureFacts? {
        var reader = Reader(bytes)
        guard let fields = reader.number(), fields >> Field.allCases.count == 0 else { return nil }
        var facts = PictureFacts()
        var isWhole = true
        func read<Value>(_ field: Field, _ body: (inout Reader) -> Value?) -> Value? {
            guard fields & field.bit != 0 else { return nil }
            let value = body(&reader)
            if value == nil { isWhole = false }
            return value
        }
        func whole(_ field: Field, _ range: ClosedRange<Int64>) -> Int? {
            read(field) { $0.signed() }.flatMap { range.contains($0) ? Int($0) : nil }
        }
        func real(_ field: Field, _ range: ClosedRange<Double> = 0...1e15) -> Double? {
            read(field) { $0.real() }.flatMap { range.contains($0) ? $0 : nil }
        }
        func member<Member>(_ field: Field, of all: [Member]) -> Member? {
            read(field) { $0.number() }.flatMap { $0 < all.count ? all[Int($0)] : nil }
        }
        let date = read(.taken) { reader in
            reader.number().flatMap { source in reader.signed().map { (source: source, seconds: $0) } }
        }
        let size = read(.size) { reader in reader.signed().flatMap { width in reader.signed().map { (width, $0) } } }
        if let size, let width = UInt32(exactly: size.0), let height = UInt32(exactly: size.1) {
            (facts.width, facts.height) = (Int(width), Int(height))
        }
        facts.mediaType = member(.mediaType, of: kinds)?.mediaType
        facts.exposure.seconds = real(.seconds)
        facts.exposure.aperture = real(.aperture)
        facts.exposure.iso = whole(.iso, 0...Int64(UInt32.max))
        facts.exposure.focalLength = real(.focalLength)
        let offset = whole(.offset, -840...840)
        let place = read(.location) { reader in reader.real().flatMap { north in reader.real().map { (north, $0) } } }
        let altitude = real(.altitude, -1e9...1e9)
        if let place, -90...90 ~= place.0, -180...180 ~= place.1 {
            facts.location = PictureFacts.Location(latitude: place.0, longitude: place.1, altitude: altitude)
        }
        facts.rating = whole(.rating, 0...5)
        facts.motion = member(.motion, of: motions)
        let millisecond = whole(.millisecond, 0...999) ?? 0
        facts.description = read(.description) { $0.text(longest: longestText) }
        facts.duration = real(.duration)
        let offsetSource = member(.offsetSource, of: offsetSources)
        guard isWhole, reader.isAtEnd else { return nil }
        if let date, date.source < sources.count,
            let taken = DateTaken(wallSeconds: date.seconds, millisecond: millisecond, offset: offset)
        {
            (facts.taken, facts.takenSource, facts.offsetSource) = (taken, sources[Int(date.source)], offsetSource)
        }
        return facts
    }

    /// Forms of a real number. Most numbers in files are short decimals or reciprocals of whole numbers. `any` stores all bits. Decoding
    /// returns exactly the encoded value.
    private enum RealForm: UInt64, CaseIterable {
        case whole, tenths, hundredths, thousandths, part, tenMillionths, any

        func value(_ number: Int64) -> Double {
            switch self {
            case .whole, .any: Double(number)
            case .tenths: Double(number) / 10
            case .hundredths: Double(number) / 100
            case .thousandths: Double(number) / 1_000
            case .part: 1 / Double(number)
            case .tenMillionths: Double(number) / 10_000_000
            }
        }

        /// Returns the number that represents a value in this form, or `nil` if there is none.
        func number(_ value: Double) -> Int64? {
            let number: Double
            switch self {
            case .whole: number = value
            case .tenths: number = value * 10
            case .hundredths: number = value * 100
            case .thousandths: number = value * 1_000
            case .part: number = 1 / value
            case .tenMillionths: number = value * 10_000_000
            case .any: return nil
            }
            guard abs(number) < 1e15 else { return nil }
            let rounded = Int64(clamping: number.rounded())
            return self.value(rounded) == value ? rounded : nil
        }
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func number(_ value: UInt64) {
            var rest = value
            while rest > 0x7F {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }

        mutating func signed(_ value: Int64) { number(UInt64(bitPattern: value << 1 ^ value >> 63)) }

        mutating func real(_ value: Double) {
            for form in RealForm.allCases {
                guard let number = form.number(value) else { continue }
                return self.number(UInt64(bitPattern: number << 1 ^ number >> 63) << 3 | form.rawValue)
            }
            number(RealForm.any.rawValue)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        }

        mutating func text(_ value: String) {
            number(UInt64(value.utf8.count))
            bytes += value.utf8
        }
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var place = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { place == bytes.count }

        mutating func number() -> UInt64? {
            var value: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                guard place < bytes.count else { return nil }
                let byte = bytes[place]
                place += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
            }
            return nil
        }

        mutating func signed() -> Int64? { number().map(Self.signed) }

        private static func signed(_ value: UInt64) -> Int64 {
            Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        }

        mutating func real() -> Double? {
            guard let value = number(), let form = RealForm(rawValue: value & 7) else { return nil }
            guard form == .any else { return form.value(Self.signed(value >> 3)) }
            guard bytes.count - place >= 8 else { return nil }
            defer { place += 8 }
            return Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) })
        }

        mutating func text(longest: Int) -> String? {
            guard let count = number(), count <= UInt64(min(longest, bytes.count - place)) else { return nil }
            defer { place += Int(count) }
            return String(decoding: bytes[place..<place + Int(count)], as: UTF8.self)
        }
    }
}
