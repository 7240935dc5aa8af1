import Catalog
import Numbers
import PhotoFacts

// The facts of the demo's pictures: all of them follow from their numbers. Months are full of pictures, the newest first,
// taken by day; each section has its place.
extension DemoCatalog {
    public func taken(_ index: Int) -> Int64? {
        guard 0..<itemCount ~= index else { return nil }
        return Shot(index, in: DemoMonth(ofSection: index / Self.sectionLength, of: Self.sectionCount(itemCount))).taken
    }

    public func facts(_ index: Int) -> PictureFacts? {
        guard 0..<itemCount ~= index else { return nil }
        let section = index / Self.sectionLength
        let month = DemoMonth(ofSection: section, of: Self.sectionCount(itemCount))
        var shot = Shot(index, in: month)
        let camera = DemoCamera.all[shot.camera]
        let lens = camera.lenses[shot.lens]
        let place = Self.place(ofSection: section)
        var facts = PictureFacts()
        facts.taken = DateTaken(wallSeconds: shot.taken)
        facts.takenSource = .exif
        facts.camera = PictureFacts.Camera(make: camera.make, model: camera.model, lens: lens.name)
        facts.exposure = PictureFacts.Exposure(
            seconds: 1 / Self.speeds[shot.random.below(Self.speeds.count)],
            aperture: (lens.aperture * [1, 1, 1.4, 2][shot.random.below(4)] * 10).rounded() / 10,
            iso: 100 << shot.random.below(6), focalLength: shot.random.uniform(lens.focalLengths).rounded())
        // On foot about it.
        let (north, east) = (shot.random.uniform(-0.02...0.02), shot.random.uniform(-0.02...0.02))
        facts.location = PictureFacts.Location(
            latitude: ((place.latitude + north) * 1e5).rounded() / 1e5,
            longitude: ((place.longitude + east) * 1e5).rounded() / 1e5)
        (facts.width, facts.height) = Self.originalSize(index)
        return facts
    }

    public var factColumns: FactColumns? {
        var columns = FactColumns()
        columns.cameras = [""] + DemoCamera.all.map(\.name)
        columns.lenses = [""] + DemoCamera.all.flatMap { $0.lenses.map(\.name) }
        columns.taken.reserveCapacity(itemCount)
        columns.camera.reserveCapacity(itemCount)
        columns.lens.reserveCapacity(itemCount)
        let firstLenses = DemoCamera.all.indices.map { camera in
            DemoCamera.all[..<camera].reduce(1) { $0 + $1.lenses.count }
        }
        for (number, section) in sections.enumerated() {
            let month = DemoMonth(ofSection: number, of: sections.count)
            for index in section.range {
                let shot = Shot(index, in: month)
                columns.taken.append(shot.taken)
                columns.camera.append(UInt16(shot.camera + 1))
                columns.lens.append(UInt16(firstLenses[shot.camera] + shot.lens))
            }
        }
        return columns
    }

    /// All have one; the last item is the oldest picture, and the first the newest.
    var dates: TakenDates {
        guard let oldest = facts(itemCount - 1)?.taken, let newest = facts(0)?.taken else { return TakenDates() }
        return TakenDates(count: itemCount, range: oldest.wallSeconds...newest.wallSeconds)
    }

    /// Fractions of a second, upside down.
    private static let speeds: [Double] = [15, 30, 60, 80, 125, 160, 250, 320, 500, 640, 1000, 2000]

    /// When and with what a picture was taken.
    private struct Shot {
        /// Seconds on the wall since 1970.
        let taken: Int64
        let camera: Int
        let lens: Int
        /// For all that is known of it besides.
        var random: SeededRandom

        init(_ index: Int, in month: DemoMonth) {
            random = SeededRandom(seed: UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9 &+ 0xFAC7)
            let place = Double(index % DemoCatalog.sectionLength) + random.unit()
            taken = month.moment(place / Double(DemoCatalog.sectionLength))
            camera = month.cameras[random.below(month.cameras.count)]
            lens = random.below(DemoCamera.all[camera].lenses.count)
        }
    }
}

/// The month of a section, and its part of it: a month of several sections is shared out among them, its last days first.
struct DemoMonth: Sendable {
    let year: Int
    /// 1 ... 12.
    let month: Int
    /// Indices into ``DemoCamera/all``.
    let cameras: [Int]
    /// The sections that share the month, and how many of them are newer.
    private let sharers: Int
    private let newer: Int
    private let start: Int64
    private let days: Int

    static let years = 15
    private static let count = years * 12
    /// October 2025.
    private static let newest = 12 * 2025 + 9
    /// When pictures are taken, seconds of the day.
    private static let daylight = 8 * 3_600...21 * 3_600

    /// - Parameters:
    ///   - number: from 0.
    ///   - total: sections of the demo. Fewer than there are months leave the oldest out.
    init(ofSection number: Int, of total: Int) {
        let spread = max(total, Self.count)
        let back = number * Self.count / spread
        // The first section whose number leads to this month, and to the next.
        let first = (back * spread + Self.count - 1) / Self.count
        let next = ((back + 1) * spread + Self.count - 1) / Self.count
        (sharers, newer) = (max(1, next - first), number - first)
        let months = Self.newest - back
        (year, month) = (months / 12, months % 12 + 1)
        cameras = DemoCamera.carried(in: year)
        var day = DateTaken(wallSeconds: 0)
        (day.year, day.month) = (year, month)
        start = day.wallSeconds
        (day.year, day.month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        days = Int((day.wallSeconds - start) / 86_400)
    }

    /// A moment by day, seconds on the wall since 1970.
    ///
    /// - Parameter part: of the section, from its newest at 0 to its oldest below 1.
    func moment(_ part: Double) -> Int64 {
        let light = Self.daylight.upperBound - Self.daylight.lowerBound
        let left = 1 - (Double(newer) + part) / Double(sharers)
        let seconds = min(Int(clamping: left * Double(days * light)), days * light - 1)
        return start + Int64(seconds / light * 86_400 + Self.daylight.lowerBound + seconds % light)
    }
}
