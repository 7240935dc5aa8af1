import Catalog
import Media
import Numbers

// Facts of the demo's pictures. All facts are computed from the picture's index. Pictures are taken by day, evenly spread over their
// month, newest first. Each section has one place.
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
        // Within walking distance of the place: 0.02 degrees.
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

    /// Range of the dates. All pictures have a date. The last item is the oldest, the first the newest.
    var dates: TakenDates {
        guard let oldest = facts(itemCount - 1)?.taken, let newest = facts(0)?.taken else { return TakenDates() }
        return TakenDates(count: itemCount, range: oldest.wallSeconds...newest.wallSeconds)
    }

    /// Shutter speeds, as reciprocals of seconds.
    private static let speeds: [Double] = [15, 30, 60, 80, 125, 160, 250, 320, 500, 640, 1000, 2000]

    private struct Shot {
        /// Wall clock time, in seconds since 1970.
        let taken: Int64
        /// Index into ``DemoCamera/all``.
        let camera: Int
        /// Index into the camera's lenses.
        let lens: Int
        /// Source of the picture's other facts.
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

/// The month of a section. If several sections share a month, each gets an equal part, and the first section gets the last days.
struct DemoMonth: Sendable {
    let year: Int
    /// 1 ... 12.
    let month: Int
    /// Cameras used in this month, as indices into ``DemoCamera/all``.
    let cameras: [Int]
    /// Number of sections that share the month.
    private let sharers: Int
    /// Number of these sections that are newer than this section.
    private let newer: Int
    /// Start of the month, in seconds of wall clock time since 1970.
    private let start: Int64
    private let days: Int

    static let years = 15
    private static let count = years * 12
    /// Newest month, in months since year 0: October 2025.
    private static let newest = 12 * 2025 + 9
    /// Time of day at which pictures are taken, in seconds since midnight.
    private static let daylight = 8 * 3_600...21 * 3_600

    /// - Parameters:
    ///   - number: Index of the section, from 0.
    ///   - total: Number of sections. If there are fewer sections than months, the oldest months are left out.
    init(ofSection number: Int, of total: Int) {
        let spread = max(total, Self.count)
        let back = number * Self.count / spread
        // The first section of this month, and the first section of the next older month.
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

    /// Returns a time during the day, as wall clock time in seconds since 1970.
    ///
    /// - Parameter part: Position in the section, from 0 (newest) to below 1 (oldest).
    func moment(_ part: Double) -> Int64 {
        let light = Self.daylight.upperBound - Self.daylight.lowerBound
        let left = 1 - (Double(newer) + part) / Double(sharers)
        let seconds = min(Int(clamping: left * Double(days * light)), days * light - 1)
        return start + Int64(seconds / light * 86_400 + Self.daylight.lowerBound + seconds % light)
    }
}
