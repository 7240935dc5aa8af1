import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Following")
    struct Following {
        @Test("a link lets another see the same place and whose it is; who follows may leave, and come back")
        func follow() async throws {
            try await withPage(path: "?dashboard") { presenter, demo in
                try await presenter.until("probe.filled()", "first pictures")
                let session = try await presenter.session()
                try await presenter.run(
                    """
                    const field = document.getElementById('presenter');
                    field.value = 'Ada';
                    field.dispatchEvent(new Event('change'));
                    """)
                let link = try await presenter.linkToFollow()
                #expect(link.contains("follow=") && !link.contains(session), "with the session's id one could scroll")
                try await withBrowser { follower in
                    try await follower.open(link)
                    try await follower.until("probe.filled()", "the follower's pictures")
                    try await follower.until(Self.says("Following Ada"), "the name")
                    try await presenter.until(
                        "document.querySelector('[data-part=\"followers\"]').textContent === 'One person is following you.'",
                        "a follower")
                    try await presenter.until(Self.watched("1 person is watching"), "who watches")
                    // One with a name.
                    try await withBrowser { second in
                        try await second.open(demo.address + "css/theme.css")
                        try await second.run("localStorage.setItem('lookahead-name', 'Grace');")
                        try await second.open(link)
                        try await presenter.until(Self.watched("Grace and 1 other are watching"), "both")
                        try await second.run("localStorage.removeItem('lookahead-name');")
                        try await second.open(demo.address + "css/theme.css")
                    }
                    try await presenter.until(Self.watched("1 person is watching"), "the one that stays")
                    // Without the panel both have the same room, and so the same rows.
                    try await presenter.press("d")
                    try await presenter.until("document.getElementById('dashboard').hidden", "no panel")
                    try await presenter.run("probe.scroller.scrollTop = 70000;")
                    try await presenter.until("probe.items()[0] > 1000 && probe.filled()", "the presenter there")
                    let first = try await presenter.run("return probe.items()[0];").integer ?? -1
                    try await follower.until("probe.items()[0] === \(first) && probe.filled()", "the follower there")
                    // Elsewhere by oneself: the presenter stays where they are, and one sees where that is.
                    try await follower.wheel(by: 900, turns: 3)
                    try await follower.until("probe.items()[0] > \(first) && probe.filled()", "the follower elsewhere")
                    try await follower.until(Self.says("Scrolling on your own"), "the word for it")
                    try await follower.until(Self.says("Ada is at"), "where the presenter is")
                    #expect(try await presenter.run("return probe.items()[0];").integer == first)
                    try await presenter.run("probe.scroller.scrollTop = 30000;")
                    try await presenter.until("probe.items()[0] < \(first)", "the presenter elsewhere")
                    let second = try await presenter.run("return probe.items()[0];").integer ?? -1
                    #expect(
                        try await follower.run("return probe.items()[0];").integer ?? 0 > first, "it was dragged along")
                    try await follower.run("document.querySelector('#follow button').click();")
                    try await follower.until("probe.items()[0] === \(second) && probe.filled()", "the follower back")
                    try await presenter.open(demo.address + "css/theme.css")
                    try await follower.until(Self.says("Ada has left"), "the end")
                }
            }
        }

        @Test(
            "who follows sees the picture that the presenter opens, the next one, and the gallery again",
            .inEveryBrowser)
        func viewer() async throws {
            try await withPage { presenter, _ in
                try await presenter.until("probe.filled()", "first pictures")
                let session = try await presenter.session()
                let path = try await presenter.wait("return (await probe.get('/api/v1/sessions/\(session)')).follow;")
                let id = path.string?.split(separator: "/").last.map(String.init) ?? ""
                let link = try await presenter.run("return location.origin + '/?follow=\(id)';").string ?? ""
                try await presenter.run("probe.cell(4).click();")
                try await presenter.until(Self.views(4), "the presenter's viewer")
                try await withBrowser { follower in
                    try await follower.open(link)
                    try await follower.until(Self.views(4), "the picture that was open before")
                    #expect(
                        try await follower.run(
                            "return document.getElementById('follow').closest('#viewer') !== null && document.querySelector('#follow button').checkVisibility();"
                        ) == true, "nothing says who is followed")
                    try await presenter.press(Key.right)
                    try await follower.until(Self.views(5), "the next one")
                    try await presenter.press(Key.escape)
                    try await follower.until("!document.getElementById('viewer').open", "the gallery")
                    // By oneself the presenter's viewer stays theirs.
                    try await follower.wheel(by: 300, turns: 2)
                    try await follower.until(Self.says("Scrolling on your own"), "the word for it")
                    try await presenter.run("probe.cell(2).click();")
                    try await presenter.until(Self.views(2), "the presenter's viewer again")
                    try await follower.wait("for (let i = 0; i < 30; i++) await probe.frame();")
                    #expect(try await follower.run("return document.getElementById('viewer').open;") == false)
                    try await follower.run("document.querySelector('#follow button').click();")
                    try await follower.until(Self.views(2), "the presenter's picture")
                    // Whoever closes it is alone from then on.
                    try await follower.press(Key.escape)
                    try await follower.until(
                        "!document.getElementById('viewer').open && \(Self.says("Scrolling on your own"))",
                        "the follower's own way")
                    #expect(try await presenter.run("return document.getElementById('viewer').open;") == true)
                }
            }
        }

        private static func views(_ item: Int) -> String {
            "document.getElementById('viewer').open && new URLSearchParams(location.search).get('view') === '\(item)'"
        }

        private static func watched(_ words: String) -> String {
            "document.querySelector('#watched:not([hidden])')?.textContent === '\(words)'"
        }

        private static func says(_ text: String) -> String {
            "document.getElementById('follow').textContent.includes('\(text)')"
        }
    }
}

extension Browser {
    /// The link that the page of who is followed copies.
    func linkToFollow() async throws -> String {
        // Headless there may be no clipboard.
        let link = try await wait(
            """
            let link = '';
            Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { link = text; } }, configurable: true });
            document.getElementById('share').click();
            return probe.until(() => link, 'the link');
            """)
        return try #require(link.string)
    }
}
