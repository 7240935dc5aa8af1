import Media
import Testing

@Suite struct DateInNameTests {
    @Test(
        "dates are read from file names of cameras, phones and messengers",
        arguments: [
            ("IMG_20190712_153000.jpg", "2019-07-12T15:30:00"),
            ("VID_20190731_235959.mp4", "2019-07-31T23:59:59"),
            ("PANO_20190713_080910.jpg", "2019-07-13T08:09:10"),
            ("MVIMG_20181225_101112.jpg", "2018-12-25T10:11:12"),
            ("IMG_20190712_153000_BURST001.jpg", "2019-07-12T15:30:00"),
            ("Screenshot_20190728-153000.png", "2019-07-28T15:30:00"),
            ("Screenshot 2019-07-28 at 11.30.05.png", "2019-07-28T11:30:05"),
            ("Screenshot 2019-07-28 at 1.30.05 PM.png", "2019-07-28T13:30:05"),
            ("Screenshot 2019-07-28 at 12.30.05\u{202F}AM.png", "2019-07-28T00:30:05"),
            ("20190730_153000.jpg", "2019-07-30T15:30:00"),
            ("20190730_153000(1).jpg", "2019-07-30T15:30:00"),
            ("IMG-20190729-WA0001.jpg", "2019-07-29T00:00:00"),
            ("2019-07-30 15.30.00.jpg", "2019-07-30T15:30:00"),
            ("2019-07-30 15.30.00-2.jpg", "2019-07-30T15:30:00"),
            ("signal-2018-08-21-100217.jpg", "2018-08-21T10:02:17"),
            ("2019_07_30.png", "2019-07-30T00:00:00"),
            ("20190730153000.jpg", "2019-07-30T15:30:00"),
            ("20190730153000123.jpg", "2019-07-30T15:30:00.123"),
            ("photo 2016-02-29T10:11:12.jpg", "2016-02-29T10:11:12"),
            ("Screenshot 2021-03-04 at 10.11.12 AM.png", "2021-03-04T10:11:12"),
            ("Bildschirmfoto 2021-03-04 um 10.11.12.png", "2021-03-04T10:11:12"),
            ("Capture d’écran 2021-03-04 à 10.11.12.png", "2021-03-04T10:11:12"),
            ("Capture d’e\u{301}cran 2021-03-04 a\u{300} 10.11.12 (2).png", "2021-03-04T10:11:12"),
            ("Captura de pantalla 2021-03-04 a la(s) 10.11.12.png", "2021-03-04T10:11:12"),
            ("Schermafbeelding 2021-03-04 om 10.11.12.png", "2021-03-04T10:11:12"),
            ("Снимок экрана 2021-03-04 в 10.11.12.png", "2021-03-04T10:11:12"),
            // A time follows only known words.
            ("Rechnung 2021-03-04 nr 10.11.12.png", "2021-03-04T00:00:00"),
            // A minus sign without ISO 8601 is a hyphen.
            ("2019-07-30 15.30.00-0100.jpg", "2019-07-30T15:30:00"),
            // The time is invalid; the day is valid.
            ("20190730_999999.jpg", "2019-07-30T00:00:00"),
        ])
    func found(name: String, time: String) throws {
        let date = try #require(DateInName.date(in: name, latestYear: 2027))
        #expect(date.text == time && date.offset == nil)
    }

    @Test(
        "a time zone in a file name is read, a negative one only in ISO 8601",
        arguments: [
            ("2021-03-04T10:11:12+0200.jpg", "2021-03-04T10:11:12", 120),
            ("2021-03-04T10:11:12-03:30.jpg", "2021-03-04T10:11:12", -210),
            ("2021-03-04T10:11:12Z.jpg", "2021-03-04T10:11:12", 0),
            ("2021-03-04T10_11_12.250Z.jpg", "2021-03-04T10:11:12.25", 0),
            ("20210304T101112+0545 (1).jpg", "2021-03-04T10:11:12", 345),
            ("2021-03-04 10.11.12+0200.jpg", "2021-03-04T10:11:12", 120),
            ("2021-03-04T10:11:12+9900.jpg", "2021-03-04T10:11:12", nil),
            ("2021-03-04T10:11:12Zoo.jpg", "2021-03-04T10:11:12", nil),
        ] as [(String, String, Int?)])
    func zone(name: String, time: String, offset: Int?) throws {
        let date = try #require(DateInName.date(in: name, latestYear: 2027))
        #expect(date.text == time && date.offset == offset)
    }

    @Test(
        "seconds and milliseconds since 1970 are read as UTC after the prefixes of known programs",
        arguments: [
            ("FB_IMG_1546300800000.jpg", "2019-01-01T00:00:00"),
            ("mmexport1546300800250.jpg", "2019-01-01T00:00:00.25"),
            ("a/inshot_1546300800.jpg", "2019-01-01T00:00:00"),
        ])
    func epoch(name: String, time: String) throws {
        let date = try #require(DateInName.date(in: name, latestYear: 2027))
        #expect(date.text == time && date.offset == 0)
    }

    @Test("file names of Pixel phones are read as UTC")
    func pixel() throws {
        let date = try #require(DateInName.date(in: "a/b/PXL_20210713_153000123.jpg", latestYear: 2027))
        #expect(date.text == "2021-07-13T15:30:00.123" && date.offset == 0)
    }

    @Test("folders named by year, month and day give the date if the file name has none")
    func folders() {
        #expect(DateInName.date(in: "2019/07/30/IMG_1.jpg", latestYear: 2027)?.text == "2019-07-30T00:00:00")
        #expect(DateInName.date(in: "x/2019/07/30/20180101.jpg", latestYear: 2027)?.year == 2018)
        for path in ["2019/07/1.jpg", "2019/07/30/a/1.jpg", "2019/30/07/1.jpg", "1989/07/30/1.jpg"] {
            #expect(DateInName.date(in: path, latestYear: 2027) == nil, "\(path)")
        }
    }

    @Test(
        "numbers without a valid date are ignored",
        arguments: [
            "IMG_8445.jpg", "120190712.jpg", "2019071200.jpg", "1562940202123.jpg", "20191307_100000.jpg",
            "20190230.jpg", "19891231.jpg", "20281231.jpg", "12072019.jpg", "2019-13-01.jpg", "2019-07_30.jpg",
            "1546300800.jpg", "IMG_1546300800000.jpg", "FB_IMG_15463008000.jpg", "FB_IMG_9999999999999.jpg",
            "20190730153.jpg", "DSC_0001.JPG", "", "2019-7-3.jpg", "99999999999999.jpg", "2019.jpg",
        ])
    func notFound(name: String) { #expect(DateInName.date(in: name, latestYear: 2027) == nil) }

    @Test("every day of a leap year is read from a file name, month before day")
    func everyDay() throws {
        for month in 1...12 {
            for day in 1...31 {
                guard let date = DateTaken(year: 2020, month: month, day: day) else { continue }
                let digits = date.text.prefix(10).filter { $0 != "-" }
                #expect(DateInName.date(in: "IMG_\(digits)_101112.jpg", latestYear: 2027)?.month == month)
                #expect(DateInName.date(in: "\(date.text.prefix(10)).jpg", latestYear: 2027)?.day == day)
            }
        }
    }
}

@Suite struct DateTakenPartsTests {
    @Test("wall-clock seconds convert to a time and back, before and after 1970")
    func seconds() throws {
        for year in [1900, 1969, 1970, 1999, 2000, 2001, 2024, 2099] {
            for month in 1...12 {
                let date = try #require(
                    DateTaken(year: year, month: month, day: 28, hour: 23, minute: 59, second: 58, millisecond: 7))
                #expect(DateTaken(wallSeconds: date.wallSeconds, millisecond: 7, offset: nil) == date)
            }
        }
        #expect(DateTaken(wallSeconds: 0, millisecond: 0, offset: nil)?.text == "1970-01-01T00:00:00")
        #expect(DateTaken(wallSeconds: -1, millisecond: 0, offset: nil)?.text == "1969-12-31T23:59:59")
        for far in [Int64.min, .max, -2_300_000_000, 4_200_000_000] {
            #expect(DateTaken(wallSeconds: far, millisecond: 0, offset: nil) == nil)
        }
    }

    @Test(
        "ISO 8601 times of XMP are read with optional seconds, fraction and offset",
        arguments: [
            ("2019-07-31T14:03:22.25+02:00", "2019-07-31T14:03:22.25", "+02:00"),
            ("2019-07-31T14:03:22Z", "2019-07-31T14:03:22", "+00:00"),
            ("2019-07-31T14:03-03:30", "2019-07-31T14:03:00", "-03:30"),
            ("2019-07-31 14:03:22.123456", "2019-07-31T14:03:22.123", nil),
            ("2019-07-31 14:03:22 +02:00", "2019-07-31T14:03:22", "+02:00"),
            ("2019-07-31T14:03 Z", "2019-07-31T14:03:00", "+00:00"),
            ("2019-07-31", "2019-07-31T00:00:00", nil),
        ] as [(String, String, String?)])
    func iso(text: String, time: String, offset: String?) throws {
        let date = try #require(DateTaken(iso: text))
        #expect(date.text == time && date.offsetText == offset)
    }

    @Test(
        "malformed ISO 8601 times are refused",
        arguments: ["2019", "2019-07", "2019-02-30", "0000-00-00T00:00:00", "x", ""])
    func noTime(text: String) { #expect(DateTaken(iso: text) == nil) }
}
