import JSON
import TestSupport
import Testing

extension PageTests.Races {
    @Test("a gallery of fewer than 100 pictures has no race, and the page says so")
    func fewPictures() async throws {
        let folder = try TemporaryFolder()
        try folder.write("pictures/1.jpg", Picture.jpeg(300, 200))
        let server = try await Demo(["serve", folder.path + "/pictures"])
        defer { server.stop() }
        try await withBrowser { browser in
            try await browser.open(server.address + "?race")
            try await browser.until(
                "raceProbe.text('headline').includes('at least 100 pictures') && raceProbe.part('start').disabled",
                "the message")
            try await browser.press(Key.escape)
            try await browser.until(
                "document.documentElement.dataset.connection === 'live' && document.querySelectorAll('.cell[data-state=\"ready\"]').length === 1",
                "the gallery")
            #expect(try await browser.run("return document.getElementById('race-open').disabled;") == true)
        }
    }

    @Test(
        "a race also runs in a folder and in a list of remote pictures, with sessions that start without a cache",
        .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser, arguments: ["folder", "list"])
    func elsewhere(kind: String) async throws {
        let folder = try TemporaryFolder()
        for number in 1...120 {
            try folder.write("pictures/\(number).jpg", Picture.jpeg(300, 200, red: UInt8(number)))
        }
        let files = try await Demo(["serve", folder.path + "/pictures"])
        defer { files.stop() }
        let addresses = (0..<120).map {
            "http://127.0.0.1:\(files.port)/api/v1/galleries/pictures/items/\($0)/original\n"
        }
        let list = try folder.write("list.txt", Array(addresses.joined().utf8))
        let server = try await Demo(["serve", list, "--allow-origin", "127.0.0.1:\(files.port)"])
        defer { server.stop() }
        try await withBrowser { browser in
            try await browser.open((kind == "folder" ? files.address : server.address) + "?race")
            try await ready(browser)
            // Only a demo has the button in the bar. The dashboard has one for all galleries.
            #expect(
                try await browser.run("return getComputedStyle(document.querySelector('[data-part=compare]')).display;")
                    != "none")
            #expect(
                try await browser.run("return getComputedStyle(document.getElementById('race-open')).display;")
                    == "none")
            try await browser.run("raceProbe.recordPolicies();")
            let terms = try await browser.run("return [raceProbe.text('terms'), raceProbe.text('source')];")
            let sharing = kind == "folder" ? "the same files" : "120\u{a0}MB each"
            #expect(terms.array?.first?.string?.contains(sharing) == true)
            #expect(terms.array?.last == .string(kind == "folder" ? "files" : "network"))
            try await browser.wait("await raceProbe.drop();")
            try await state("done", browser)
            let end = try await browser.run("return raceProbe.outcome();")
            #expect(end["asked"]?.array?.suffix(2) == ["collection-view", "lookahead"], "\(end)")
            #expect(end["shown"] == [true, true])
            #expect(end["waste"]?.array?.allSatisfy { $0.string?.first?.isNumber == true } == true, "\(end)")
            try await browser.press(Key.escape)
            try await browser.until("!raceProbe.dialog.open", "the gallery back")
        }
    }
}
