import Catalog
import Media
import Testing

@Suite("Fact encoding") struct FactCodingTests {
    /// Random facts as the index encodes them, without camera and file system facts.
    private static func facts(using random: inout some RandomNumberGenerator) -> PictureFacts {
        func maybe<Value>(_ value: (inout SystemRandomNumberGenerator) -> Value) -> Value? {
            var random = SystemRandomNumberGenerator()
            return Bool.random(using: &random) ? value(&random) : nil
        }
        func real(_ range: ClosedRange<Double>) -> Double? {
            maybe { random in
                let value = Double.random(in: range, using: &random)
                // Values as they occur in files, and arbitrary ones.
                return switch Int.random(in: 0..<6, using: &random) {
                case 0: value.rounded()
                case 1: (value * 10).rounded() / 10
                case 2: (value * 100).rounded() / 100
                case 3: 1 / max(1, abs(value).rounded())
                case 4: (value * 1e7).rounded() / 1e7
                default: value
                }
            }
        }
        var facts = PictureFacts()
        facts.taken = maybe { random in
            DateTaken(
                wallSeconds: Int64.random(in: -2_208_988_800..<4_102_444_800, using: &random),
                millisecond: Bool.random() ? 0 : Int.random(in: 0...999, using: &random),
                offset: maybe { Int.random(in: -840...840, using: &$0) })
        }.flatMap(\.self)
        facts.takenSource = facts.taken == nil ? nil : PictureFacts.DateSource.allCases.randomElement(using: &random)
        facts.offsetSource =
            facts.taken == nil ? nil : maybe { _ in PictureFacts.OffsetSource.allCases.randomElement() }.flatMap(\.self)
        facts.exposure = PictureFacts.Exposure(
            seconds: real(0...1e3), aperture: real(0...64), iso: maybe { Int.random(in: 0...1_000_000, using: &$0) },
            focalLength: real(0...1e4))
        facts.location = maybe { _ in
            PictureFacts.Location(
                latitude: real(-90...90) ?? 0, longitude: real(-180...180) ?? 0, altitude: real(-500...9_000))
        }
        facts.description = maybe { "Ü\n\0😀" + String(repeating: "x", count: Int.random(in: 0...300, using: &$0)) }
        facts.rating = maybe { Int.random(in: 0...5, using: &$0) }
        if let side = maybe({ Int.random(in: 1...100_000, using: &$0) }) {
            (facts.width, facts.height) = (side, side / 2)
        }
        facts.mediaType = maybe { _ in PictureKind.allCases.randomElement()?.mediaType }.flatMap(\.self)
        facts.duration = real(0...1e5)
        facts.motion = maybe { _ in PictureFacts.Motion.allCases.randomElement() }.flatMap(\.self)
        return facts
    }

    @Test("encoded facts decode to the same values, bit for bit") func roundTrip() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let facts = Self.facts(using: &random)
            #expect(FactCoding.facts(FactCoding.bytes(facts)) == facts)
        }
        #expect(FactCoding.bytes(PictureFacts()) == [0] && FactCoding.facts([0]) == PictureFacts())
    }

    @Test("the facts of a phone picture with location take at most 50 bytes") func length() throws {
        var facts = PictureFacts()
        facts.taken = DateTaken(wallSeconds: 1_562_940_202, millisecond: 0, offset: 120)
        facts.takenSource = .exif
        (facts.width, facts.height, facts.mediaType) = (4_032, 3_024, "image/jpeg")
        facts.exposure = PictureFacts.Exposure(seconds: 1 / 121, aperture: 1.8, iso: 25, focalLength: 4.25)
        facts.location = PictureFacts.Location(latitude: 52.516275, longitude: 13.377704, altitude: 34.12)
        #expect(FactCoding.bytes(facts).count <= 50)
        facts.location = nil
        #expect(FactCoding.bytes(facts).count <= 30)
    }

    @Test("damaged bytes decode to nothing or to valid facts") func damaged() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let bytes = FactCoding.bytes(Self.facts(using: &random))
            for end in 0..<bytes.count { #expect(FactCoding.facts(Array(bytes[..<end])) == nil) }
            #expect(FactCoding.facts(bytes + [0]) == nil)
            for _ in 0..<20 {
                var damaged = bytes
                for _ in 0..<3 {
                    damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                guard let facts = FactCoding.facts(damaged) else { continue }
                #expect(facts.rating.map { 0...5 ~= $0 } ?? true)
                #expect(facts.location.map { -90...90 ~= $0.latitude && -180...180 ~= $0.longitude } ?? true)
                #expect(facts.width.map { 0...Int(UInt32.max) ~= $0 } ?? true)
                #expect((facts.taken == nil) == (facts.takenSource == nil))
                for number in [
                    facts.exposure.seconds, facts.exposure.aperture, facts.exposure.focalLength, facts.duration,
                ] {
                    #expect(number.map { $0 >= 0 && $0.isFinite } ?? true)
                }
            }
        }
    }

    @Test("values out of range are left out") func outOfRange() throws {
        var facts = PictureFacts()
        facts.rating = 9
        // One character to a reader, and 20,001 bytes.
        facts.description = "e" + String(repeating: "\u{301}", count: 10_000)
        facts.exposure = PictureFacts.Exposure(seconds: -.infinity, aperture: .nan, iso: -1, focalLength: 50)
        facts.location = PictureFacts.Location(latitude: 91, longitude: 0)
        let read = try #require(FactCoding.facts(FactCoding.bytes(facts)))
        var left = PictureFacts()
        left.exposure.focalLength = 50
        #expect(read == left)
    }
}
