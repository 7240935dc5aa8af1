import Gallery
import Testing

@Suite struct ExposureTests {
    @Test("cells count as blank until their picture arrives or they leave the view")
    func blank() {
        var exposure = Exposure()
        exposure.update(0..<4, at: 0) { $0 == 0 }
        exposure.finished(1, bytes: 10, at: 100)
        exposure.update(2..<6, at: 200) { _ in false }
        exposure.elapse(to: 300)
        #expect(exposure.shown == 6 && exposure.shownReady == 1)
        #expect(exposure.visibleTime == 1200)
        // Three cells for 100 ms, two for 100 ms, then four for 100 ms.
        #expect(exposure.blankTime == 900)
    }

    @Test("a gap of more than five seconds counts as five seconds, and a clock that runs backwards counts nothing")
    func gaps() {
        var exposure = Exposure()
        exposure.update(0..<2, at: 0) { _ in false }
        exposure.elapse(to: 60_000)
        #expect(exposure.visibleTime == 10_000 && exposure.blankTime == 10_000)
        exposure.elapse(to: 50_000)
        #expect(exposure.visibleTime == 10_000)
    }

    @Test("bytes of a picture outside the view are unseen until its cell comes into view")
    func unseen() {
        var exposure = Exposure()
        exposure.update(0..<2, at: 0) { _ in false }
        exposure.finished(5, bytes: 100, at: 1)
        exposure.finished(6, bytes: 30, at: 2)
        #expect(exposure.unseenBytes == 130)
        exposure.update(4..<6, at: 3) { _ in true }
        #expect(exposure.unseenBytes == 30)
    }
}
