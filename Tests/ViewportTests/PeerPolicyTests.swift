import Testing
import Viewport

@Suite struct PeerPolicyTests {
    @Test("chromium-lazy loads items within 1,250 px of the viewport and never cancels")
    func chromium() {
        var model = ViewportModel(grid(10_000), .chromiumLazy)
        let first = model.update(ScrollSample(time: 0, scrollTop: 9000))
        // 7750 px and 11,150 px lie in rows 43 and 61.
        #expect(Set(first.wanted.map(\.item)) == Set(258..<372))
        let away = model.update(ScrollSample(time: 20, scrollTop: 90_000, phase: .jump))
        #expect(away.cancel.isEmpty && away.wanted.count > 200)
    }

    @Test("immich loads 500 px on either side and cancels items that leave")
    func immich() {
        var model = ViewportModel(grid(10_000), .immich)
        let first = model.update(ScrollSample(time: 0, scrollTop: 9000))
        #expect(first.prefetch == Array(282..<300) + Array(330..<348))
        let away = model.update(ScrollSample(time: 20, scrollTop: 90_000, phase: .jump))
        #expect(away.cancel.count == 66)
    }

    @Test("photo-kit keeps half a screen on either side and moves in thirds of a screen")
    func photoKit() {
        var model = ViewportModel(grid(10_000), .photoKit)
        let first = model.update(ScrollSample(time: 0, scrollTop: 9000))
        // 8550 px and 10,350 px lie in rows 47 and 57.
        #expect(first.prefetch == Array(282..<300) + Array(330..<348))
        let within = model.update(ScrollSample(time: 20, scrollTop: 9290, phase: .wheel))
        #expect(within.prefetch.isEmpty && within.cancel.isEmpty)
        let beyond = model.update(ScrollSample(time: 40, scrollTop: 9310, phase: .wheel))
        #expect(beyond.prefetch == Array(348..<360))
        #expect(beyond.cancel == Array(282..<294))
    }

    @Test("texture loads 2.5 screens ahead and 1.5 behind, starting with its display range")
    func texture() {
        var model = ViewportModel(grid(10_000), .texture)
        let first = model.update(ScrollSample(time: 0, scrollTop: 9000))
        #expect(first.prefetch.count == 6 * (2 + 3))
        let scrolled = model.update(ScrollSample(time: 20, scrollTop: 9001, phase: .touch))
        let frames = scrolled.wanted.filter { !$0.visible }.map { model.layout.frame(of: $0.item) }
        #expect(frames.map(\.maxY).max() ?? 0 >= 9901 + 2.5 * 900)
        #expect(frames.map(\.y).min() ?? 0 <= 9001 - 1.5 * 900)
        let display = frames.prefix { $0.y < 9901 + 900 && $0.maxY > 9001 - 450 }
        #expect(display.count == 6 * (5 + 3))
    }

    @Test("glide asks for the next ten items and cancels them when the scroll turns")
    func glide() {
        var model = ViewportModel(grid(10_000), .glide)
        _ = model.update(ScrollSample(time: 0, scrollTop: 0))
        let down = model.update(ScrollSample(time: 20, scrollTop: 180))
        #expect(down.wanted.filter { !$0.visible }.map(\.item) == Array(36..<46))
        let up = model.update(ScrollSample(time: 60, scrollTop: 0))
        #expect(Set(up.cancel) == Set(30..<46))
    }

    @Test("dwell loads nothing until the visible items have stayed for 150 ms")
    func dwell() throws {
        var model = ViewportModel(grid(10_000), .dwell)
        #expect(model.update(ScrollSample(time: 0, scrollTop: 0)).wanted.isEmpty)
        #expect(model.update(ScrollSample(time: 140, scrollTop: 900, phase: .wheel)).wanted.isEmpty)
        #expect(model.nextTick == 290)
        #expect(model.tick(at: 290).wanted.map(\.item) == Array(30..<60))
        let leaving = model.update(ScrollSample(time: 300, scrollTop: 1080, phase: .wheel))
        #expect(leaving.cancel == Array(30..<36) && leaving.wanted.count == 24)
    }
}
