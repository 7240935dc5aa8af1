import Gallery
import Testing

@Suite struct AudienceHalvesTests {
    private static func off(_ halves: AudienceHalves, _ sessions: [String]) -> [String] {
        sessions.filter(halves.isOff)
    }

    @Test("every second session has no prefetching, a new one joins the smaller half, and none changes its half")
    func joining() {
        var halves = AudienceHalves()
        halves.update(["a", "b", "c", "d", "e"])
        #expect(Self.off(halves, ["a", "b", "c", "d", "e"]) == ["b", "d"])
        halves.update(["a", "c", "d", "e"])
        halves.update(["a", "c", "d", "e", "f"])
        #expect(Self.off(halves, ["a", "c", "d", "e", "f"]) == ["d", "f"])
        #expect(halves.all.map(\.followers) == [3, 2])
        // Another order changes nothing.
        halves.update(["f", "e", "d", "c", "a"])
        #expect(Self.off(halves, ["a", "c", "d", "e", "f"]) == ["d", "f"])
        halves.update([])
        #expect(halves.all.map(\.followers) == [0, 0] && !halves.isOff("d"))
    }

    @Test("the exposure of a half counts from the first measurement of each session, and includes sessions that left")
    func measuring() {
        var halves = AudienceHalves()
        halves.update(["a", "b"])
        halves.measure("a", visibleTime: 5000, blankTime: 1000)
        halves.measure("b", visibleTime: 100, blankTime: 100)
        halves.measure("stranger", visibleTime: 0, blankTime: 0)
        #expect(halves.all.map(\.visibleTime) == [0, 0])
        halves.measure("a", visibleTime: 7000, blankTime: 1500)
        halves.measure("b", visibleTime: 1100, blankTime: 900)
        halves.measure("stranger", visibleTime: 900, blankTime: 900)
        halves.update(["b", "c"])
        halves.measure("c", visibleTime: 3000, blankTime: 3000)
        halves.measure("c", visibleTime: 3200, blankTime: 3100)
        #expect(halves.all.map(\.visibleTime) == [2200, 1000])
        #expect(halves.all.map(\.blankTime) == [600, 800])
    }
}
