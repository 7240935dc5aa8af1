/// Reads the date in a file's name (`IMG_20190712_153000.jpg`, `2019-07-12 15.30.00.jpg`, `IMG-20190712-WA0001.jpg`,
/// `FB_IMG_1546300800000.jpg`) or in the names of its folders (`2019/07/12/1.jpg`).
///
/// The order is always year, month, day. Digits count only as a whole run: a longer number that contains a date is ignored. Seconds and
/// milliseconds since 1970 count only after a name prefix of a program that writes them.
package enum DateInName {
    static let firstYear = 1990

    /// - Parameters:
    ///   - path: path of the file. `/` separates the folders.
    ///   - latestYear: last year accepted as part of a date: next year.
    package static func date(in path: String, latestYear: Int) -> DateTaken? {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return nil }
        let bytes = Array(name.utf8)
        let reader = Reader(bytes: bytes, years: firstYear...max(firstYear, latestYear))
        if let date = reader.date() { return date }
        let folders = parts.dropLast().suffix(3).map { Array($0.utf8) }
        guard folders.map(\.count) == [4, 2, 2], let year = DateTaken.number(folders[0][...]),
            reader.years ~= year, let month = DateTaken.number(folders[1][...]),
            let day = DateTaken.number(folders[2][...])
        else { return nil }
        return DateTaken(year: year, month: month, day: day)
    }

    private struct Reader {
        let bytes: [UInt8]
        let years: ClosedRange<Int>
        private let runs: [Range<Int>]
        /// Pixel phones write UTC. All other programs write local time.
        private let isUTC: Bool

        init(bytes: [UInt8], years: ClosedRange<Int>) {
            self.bytes = bytes
            self.years = years
            var runs: [Range<Int>] = []
            var place = 0
            while place < bytes.count {
                let start = place
                while place < bytes.count, 0x30...0x39 ~= bytes[place] { place += 1 }
                if place > start { runs.append(start..<place) } else { place += 1 }
            }
            self.runs = runs
            isUTC = bytes.starts(with: "PXL_".utf8)
        }

        func date() -> DateTaken? {
            for index in runs.indices {
                let run = runs[index]
                switch run.count {
                case 8:
                    if let found = date(run.lowerBound, time(after: index)) ?? date(run.lowerBound, nil) {
                        return found
                    }
                case 14, 17:
                    if let found = date(run.lowerBound, time(at: run.lowerBound + 8, count: run.count - 8)) {
                        return found
                    }
                case 4 where runs.count > index + 2 && runs[index + 1].count == 2 && runs[index + 2].count == 2:
                    guard let separator = between(index, index + 1), separator == between(index + 1, index + 2),
                        ["-", "_", ".", " "].contains(separator)
                    else { continue }
                    let starts = (run.lowerBound, runs[index + 1].lowerBound, runs[index + 2].lowerBound)
                    if let found = date(starts, time(after: index + 2)) ?? date(starts, nil) { return found }
                default: continue
                }
            }
            return epoch()
        }

        /// Returns the date of a number of seconds or milliseconds since 1970, UTC.
        private func epoch() -> DateTaken? {
            guard let run = runs.first(where: { [10, 13].contains($0.count) }),
                Self.epochWords.contains(where: { bytes[..<run.lowerBound].elementsEqual($0.utf8) }),
                let seconds = number(run.lowerBound, 10)
            else { return nil }
            let thousandths = run.count == 13 ? number(run.lowerBound + 10, 3) ?? 0 : 0
            let date = DateTaken(wallSeconds: Int64(seconds), millisecond: thousandths, offset: 0)
            return date.flatMap { years ~= $0.year ? $0 : nil }
        }

        /// Name prefixes of Facebook, WeChat and camera programs that write seconds or milliseconds since 1970.
        private static let epochWords = [
            "FB_IMG_", "FB_VID_", "mmexport", "microMsg.", "wx_camera_", "beauty_", "faceu_", "inshot_",
        ]

        private struct Time {
            var hour: Int
            var minute: Int
            var second: Int
            var millisecond = 0
            /// Minutes by which the clock was ahead of UTC, or `nil` if the name does not contain them.
            var offset: Int?
        }

        /// Texts that programs write between the day and the time, in several languages.
        private static let gaps: Set = [
            "_", "-", " ", "T", "t", ".", "_at_", "--", " - ", " at ", " um ", " à ", " a las ", " a la(s) ", " alle ",
            " alle ore ", " às ", " om ", " kl. ", " o ", " v ", " ve ", " kello ", " в ", " о ",
        ]

        private func time(after index: Int) -> Time? {
            let next = index + 1
            guard next < runs.count, let gap = between(index, next), Self.gaps.contains(gap) else { return nil }
            let run = runs[next]
            let isISO = gap == "T"
            if run.count == 6 || run.count == 9 {
                let time = time(at: run.lowerBound, count: run.count)
                return time.map { zoned($0, run.upperBound, isISO) }
            }
            guard run.count <= 2, next + 2 < runs.count, runs[next + 1].count == 2, runs[next + 2].count == 2,
                let separator = between(next, next + 1), separator == between(next + 1, next + 2),
                ["-", "_", ".", ":"].contains(separator), var hour = number(run.lowerBound, run.count),
                let minute = number(runs[next + 1].lowerBound, 2), let second = number(runs[next + 2].lowerBound, 2)
            else { return nil }
            // macOS names screenshots like this if the clock has twelve hours. A narrow space may precede the "AM" or "PM".
            let end = runs[next + 2].upperBound
            let rest = bytes[end...].drop { $0 == 0x20 || $0 >= 0x80 }.prefix(2).map { $0 | 0x20 }
            if rest == Array("pm".utf8), 1...11 ~= hour { hour += 12 }
            if rest == Array("am".utf8), hour == 12 { hour = 0 }
            guard run.count == 2 || rest.last == UInt8(ascii: "m") else { return nil }
            return zoned(Time(hour: hour, minute: minute, second: second), end, isISO)
        }

        /// Adds the milliseconds and the time zone after a time (`.250+0200`, `Z`). The sign may be a plain hyphen, which counts as a minus
        /// only if a `T` precedes the time.
        private func zoned(_ time: Time, _ end: Int, _ isISO: Bool) -> Time {
            var rest = bytes[end...]
            var time = time
            if rest.first == UInt8(ascii: "."), let fraction = runs.first(where: { $0.lowerBound == end + 1 }),
                fraction.count == 3
            {
                time.millisecond = number(fraction.lowerBound, 3) ?? 0
                rest = bytes[fraction.upperBound...]
            }
            let zone = rest.prefix { !". _(".utf8.contains($0) }
            if zone.elementsEqual("Z".utf8) { time.offset = 0 }
            let isSigned = zone.first == UInt8(ascii: "+") || isISO && zone.first == UInt8(ascii: "-")
            let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
            guard isSigned, digits.count == 4, zone.count <= 6, let sign = zone.first else { return time }
            let text = [sign] + digits[..<2] + [UInt8(ascii: ":")] + digits[2...]
            time.offset = DateTaken.minutes(String(decoding: text, as: UTF8.self))
            return time
        }

        /// Reads six digits of a time, and three of milliseconds if `count` is at least 9.
        private func time(at place: Int, count: Int) -> Time? {
            guard let hour = number(place, 2), let minute = number(place + 2, 2), let second = number(place + 4, 2)
            else { return nil }
            let millisecond = count >= 9 ? number(place + 6, 3) ?? 0 : 0
            return Time(hour: hour, minute: minute, second: second, millisecond: millisecond)
        }

        /// Returns `nil` if the day or the time is invalid.
        private func date(_ place: Int, _ time: Time?) -> DateTaken? { date((place, place + 4, place + 6), time) }

        private func date(_ places: (year: Int, month: Int, day: Int), _ time: Time?) -> DateTaken? {
            guard let year = number(places.year, 4), years ~= year, let month = number(places.month, 2),
                let day = number(places.day, 2)
            else { return nil }
            guard let time else { return DateTaken(year: year, month: month, day: day) }
            return DateTaken(
                year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second,
                millisecond: time.millisecond, offset: time.offset ?? (isUTC ? 0 : nil))
        }

        private func number(_ place: Int, _ count: Int) -> Int? { DateTaken.number(bytes[place..<place + count]) }

        private func between(_ first: Int, _ second: Int) -> String? {
            let gap = runs[first].upperBound..<runs[second].lowerBound
            return gap.count <= 16 ? String(decoding: bytes[gap], as: UTF8.self) : nil
        }
    }
}
