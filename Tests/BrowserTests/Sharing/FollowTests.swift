import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("People follow a presenter by a link")
    struct Following {
        @Test("a follower sees the presenter's name and place, can scroll away, and can return")
        func follow() async throws {
            try await withPage(path: "?dashboard") { presenter, demo in
                try await presenter.until("probe.filled()", "first pictures")
                let session = try await presenter.session()
                try await presenter.run("sessionProbe.present('Ada');")
                let link = try await presenter.linkToFollow()
                #expect(
                    link.contains("follow=") && !link.contains(session),
                    "a person with the session's id could scroll the page")
                try await withBrowser { follower in
                    try await follower.open(link)
                    try await follower.until("probe.filled()", "the follower's pictures")
                    try await follower.until("sessionProbe.says('Following Ada')", "the name")
                    try await presenter.until(
                        "document.querySelector('[data-part=\"followers\"]').textContent === 'One person is following you.'",
                        "a follower")
                    try await presenter.until(
                        "sessionProbe.isWatched('1 person is watching')", "the number of followers")
                    // The second follower has a name.
                    try await withBrowser { second in
                        try await second.open(demo.address + "css/theme.css")
                        try await second.run("localStorage.setItem('lookahead-name', 'Grace');")
                        try await second.open(link)
                        try await presenter.until("sessionProbe.isWatched('Grace and 1 other are watching')", "both")
                        try await second.run("localStorage.removeItem('lookahead-name');")
                        try await second.open(demo.address + "css/theme.css")
                    }
                    try await presenter.until(
                        "sessionProbe.isWatched('1 person is watching')", "the follower that stays")
                    // Without the dashboard both pages have the same size, and so the same rows.
                    try await presenter.press("d")
                    try await presenter.until("document.getElementById('dashboard').hidden", "no panel")
                    try await presenter.run("probe.scroller.scrollTop = 70000;")
                    try await presenter.until("probe.items()[0] > 1000 && probe.filled()", "the presenter there")
                    let first = try await presenter.run("return probe.items()[0];").integer ?? -1
                    try await follower.until("probe.items()[0] === \(first) && probe.filled()", "the follower there")
                    // The follower scrolls away: the presenter stays, and the follower sees where the presenter is.
                    try await follower.wheel(by: 900, turns: 3)
                    try await follower.until("probe.items()[0] > \(first) && probe.filled()", "the follower elsewhere")
                    try await follower.until("sessionProbe.says('Scrolling on your own')", "the message")
                    try await follower.until("sessionProbe.says('Ada is at')", "where the presenter is")
                    #expect(try await presenter.run("return probe.items()[0];").integer == first)
                    try await presenter.run("probe.scroller.scrollTop = 30000;")
                    try await presenter.until("probe.items()[0] < \(first)", "the presenter elsewhere")
                    let second = try await presenter.run("return probe.items()[0];").integer ?? -1
                    #expect(
                        try await follower.run("return probe.items()[0];").integer ?? 0 > first,
                        "the follower was scrolled along")
                    try await follower.run("sessionProbe.followAgain();")
                    try await follower.until("probe.items()[0] === \(second) && probe.filled()", "the follower back")
                    try await presenter.open(demo.address + "css/theme.css")
                    try await follower.until("sessionProbe.says('Ada has left')", "the end")
                }
            }
        }

        @Test("a follower sees the pictures that the presenter opens, and then the gallery again", .inEveryBrowser)
        func viewer() async throws {
            try await withPage { presenter, _ in
                try await presenter.until("probe.filled()", "first pictures")
                let session = try await presenter.session()
                let path = try await presenter.wait("return (await probe.get('/api/v1/sessions/\(session)')).follow;")
                let id = path.string?.split(separator: "/").last.map(String.init) ?? ""
                let link = try await presenter.run("return location.origin + '/?follow=\(id)';").string ?? ""
                try await presenter.run("probe.cell(4).click();")
                try await presenter.until("sessionProbe.views(4)", "the presenter's viewer")
                try await withBrowser { follower in
                    try await follower.open(link)
                    try await follower.until("sessionProbe.views(4)", "the picture that was open before")
                    #expect(
                        try await follower.run(
                            "return document.getElementById('follow').closest('#viewer') !== null && document.querySelector('#follow button').checkVisibility();"
                        ) == true, "nothing names the presenter")
                    try await presenter.press(Key.right)
                    try await follower.until("sessionProbe.views(5)", "the next one")
                    try await presenter.press(Key.escape)
                    try await follower.until("!viewerProbe.isOpen()", "the gallery")
                    // A follower who has scrolled away does not see the picture that the presenter opens.
                    try await follower.wheel(by: 300, turns: 2)
                    try await follower.until("sessionProbe.says('Scrolling on your own')", "the message")
                    try await presenter.run("probe.cell(2).click();")
                    try await presenter.until("sessionProbe.views(2)", "the presenter's viewer again")
                    try await follower.wait("for (let i = 0; i < 30; i++) await probe.frame();")
                    #expect(try await follower.run("return viewerProbe.isOpen();") == false)
                    try await follower.run("sessionProbe.followAgain();")
                    try await follower.until("sessionProbe.views(2)", "the presenter's picture")
                    // A follower who closes the viewer no longer follows.
                    try await follower.press(Key.escape)
                    try await follower.until(
                        "!viewerProbe.isOpen() && sessionProbe.says('Scrolling on your own')", "the follower alone")
                    #expect(try await presenter.run("return viewerProbe.isOpen();") == true)
                }
            }
        }

        @Test("the presenter's rail has a dot at the place of each follower", .inEveryBrowser)
        func dots() async throws {
            try await withPage(path: "?dashboard") { presenter, _ in
                try await presenter.until("probe.filled()", "first pictures")
                let link = try await presenter.linkToFollow()
                try await withBrowser { follower in
                    try await follower.open(link + "&prefetching=off")
                    try await presenter.until("sessionProbe.dots().length === 1", "a dot")
                    let dot = try await presenter.run("return sessionProbe.dots()[0];")
                    #expect(dot["isHollow"] == true && dot["isShown"] == true, "\(dot)")
                    try await presenter.until(
                        "dashboardProbe.part('places').textContent === 'Of these, 1 is where you are.'", "the words")
                    try await follower.until("probe.filled()", "the follower's pictures")
                    try await follower.wheel(by: 900, turns: 3)
                    try await follower.run("probe.scroller.scrollTop = 300000;")
                    try await presenter.until(
                        "sessionProbe.dots()[0]?.top > \(dot["top"]?.number ?? 0) + 50", "the dot further down")
                    try await presenter.until(
                        "dashboardProbe.part('places').textContent === 'Of these, 1 is further down.'", "the words")
                }
                try await presenter.until(
                    "sessionProbe.dots().length === 0 && dashboardProbe.part('places').hidden", "no dot")
            }
        }

        @Test("a presenter turns prefetching off for half of the followers, and sees how much is blank in both halves")
        func halves() async throws {
            try await withPage(path: "?dashboard") { presenter, _ in
                try await presenter.until("probe.filled()", "first pictures")
                let link = try await presenter.linkToFollow()
                try await withBrowser { follower in
                    try await follower.open(link)
                    try await presenter.until("sessionProbe.dots().length === 1", "a dot")
                    #expect(
                        try await presenter.run("return dashboardProbe.part('audience').hidden;") == true,
                        "one follower has no halves")
                    try await withBrowser { second in
                        try await second.open(link)
                        try await presenter.until("!dashboardProbe.part('audience').hidden", "the switch")
                        try await presenter.run("dashboardProbe.halving.focus();")
                        try await presenter.press(" ")
                        try await presenter.until(
                            "sessionProbe.dots().map(({ isHollow }) => isHollow).join() === 'false,true'",
                            "one dot filled, one hollow")
                        let bars = "Blank with prefetching (1): n%,Blank without prefetching (1): n%"
                        try await presenter.until("dashboardProbe.halves() === '\(bars)'", "the bars")
                        try await presenter.press(" ")
                        try await presenter.until(
                            "sessionProbe.dots().every(({ isHollow }) => !isHollow) && dashboardProbe.halves() === ''",
                            "prefetching for all")
                    }
                }
            }
        }

        @Test("Share shows the link as a QR code, also on a phone", .inEveryBrowser)
        func code() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                for width in [390, 1440] {
                    try await browser.emulate(.device(width: width, height: 800))
                    try await browser.run("document.getElementById('sharing').showPopover();")
                    #expect(try await browser.run("return sessionProbe.showsCode();") == false, "a code without a link")
                    _ = try await browser.linkToFollow()
                    try await browser.until("sessionProbe.showsCode()", "the code at \(width) px")
                    try await browser.run("document.getElementById('sharing').hidePopover();")
                }
            }
        }
    }
}

extension Browser {
    /// Returns the link that a presenter's page copies, which lets other people follow the presenter.
    func linkToFollow() async throws -> String {
        let link = try await wait("return await sessionProbe.copiedLink();")
        return try #require(link.string)
    }
}
