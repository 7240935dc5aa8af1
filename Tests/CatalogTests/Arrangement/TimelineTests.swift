import Catalog
import Media
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimelineTests {
    private func timeline(_ dates: [String?]) -> Timeline? {
        Timeline(taken: dates.map { $0.flatMap { WallPeriod($0)?.seconds.lowerBound } ?? FactColumns.undated })
    }

    @Test("a timeline lists each month with its first item, and undated items last")
    func months() throws {
        let newest = try #require(
            timeline(["2020-01-01", "2019-12-31", "2019-12-01T23:59:59", "2003-05-05", nil, nil]))
        #expect(
            newest.months.map { "\($0.name) \($0.from)+\($0.count)" } == ["2020-01 0+1", "2019-12 1+2", "2003-05 3+1"])
        #expect(newest.undated == 4..<6)
        let oldest = try #require(timeline(["2003-05-05", "2019-12-31", "2020-01-01"]))
        #expect(oldest.months.map(\.from) == [0, 1, 2] && oldest.undated == 3..<3)
        #expect(timeline([])?.months == [] && timeline([nil])?.undated == 0..<1)
    }

    @Test("items out of date order have no timeline")
    func disorder() {
        #expect(timeline(["2020-01", "2019-12", "2020-01"]) == nil)
        #expect(timeline(["2020-01", nil, "2019-12"]) == nil)
        // Inside a month, any order will do.
        #expect(timeline(["2020-01-01", "2020-01-31", "2020-01-02"]) != nil)
    }

    @Test("an arrangement's timeline covers its own items")
    func arranged() {
        let source = ArrangementSource(
            Photographs([
                .init(name: "b", taken: "2019-08-01"), .init(name: "a"), .init(name: "c", taken: "2020-08-01"),
            ]).catalog)
        #expect(source.catalog.timeline == nil)
        let arranged = source.arranged(Arrangement(sort: .taken)).catalog
        let timeline = arranged.timeline
        #expect(timeline?.months.map(\.name) == ["2020-08", "2019-08"] && timeline?.undated == 2..<3)
    }

    @Test(
        "a year, month, day or second parses to its full period",
        arguments: [
            ("2019", "2019-01-01T00:00:00", "2019-12-31T23:59:59"),
            ("2019-12", "2019-12-01T00:00:00", "2019-12-31T23:59:59"),
            ("2020-02", "2020-02-01T00:00:00", "2020-02-29T23:59:59"),
            ("2019-07-12", "2019-07-12T00:00:00", "2019-07-12T23:59:59"),
            ("1969-12-31T23:59:59", "1969-12-31T23:59:59", "1969-12-31T23:59:59"),
        ])
    func periods(_ text: String, _ first: String, _ last: String) throws {
        let period = try #require(WallPeriod(text))
        #expect(period.seconds.lowerBound == WallPeriod(first)?.seconds.lowerBound)
        #expect(period.seconds.upperBound == WallPeriod(last)?.seconds.upperBound)
    }

    @Test(
        "malformed dates are rejected",
        arguments: [
            "", "19", "2019-7", "2019-13", "2019-02-29", "2019-00-01", "2019-07-12T", "2019-07-12T14",
            "2019-07T14:00:00",
            "2019-07-12T24:00:00", "1066", "2019-07-12-01", "2019-07-12T14:03:22T", "+201", "二〇一九",
        ])
    func noPeriods(_ text: String) { #expect(WallPeriod(text) == nil) }

    @Test("a date converts to seconds and back without loss")
    func seconds() {
        for day in stride(from: DateTaken(wallSeconds: .min).wallSeconds, to: 4_000_000_000, by: 86_400 * 3 + 12_345) {
            #expect(DateTaken(wallSeconds: day).wallSeconds == day)
        }
        #expect(DateTaken(wallSeconds: .min).year == 1900 && DateTaken(wallSeconds: .max).year == 2099)
        #expect(DateTaken(wallSeconds: -1).second == 59 && DateTaken(wallSeconds: -1).year == 1969)
    }
}
