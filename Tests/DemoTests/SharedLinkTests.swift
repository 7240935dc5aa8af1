import Catalog
import Demo
import Testing

@Suite struct SharedLinkTests {
    @Test("transfers share the rate equally, and a finished transfer frees its share")
    func shares() {
        var link = SharedLink()
        link.add(1, bytes: 1000, at: 0)
        link.add(2, bytes: 3000, at: 0)
        #expect(link.nextEnd(rate: 100) == 20)
        let first = link.advance(to: 10, rate: 100)
        #expect(first.map(\.bytes) == [500, 500])
        // The first ends at 20. Then the second has the whole rate and ends at 40.
        let second = link.advance(to: 30, rate: 100)
        #expect(second.map(\.bytes) == [500, 1500])
        #expect(second.map(\.isDone) == [true, false])
        #expect(link.nextEnd(rate: 100) == 10)
        let third = link.advance(to: 99, rate: 100)
        #expect(third.map(\.bytes) == [1000])
        #expect(third.map(\.isDone) == [true])
        #expect(link.isIdle)
    }

    @Test("every byte is granted once, in time steps of any size")
    func sums() {
        for step in [0.1, 0.7, 3, 1000] {
            var link = SharedLink()
            var granted = [0, 0, 0]
            let sizes = [1, 77_777, 12_345]
            var time = 0.0
            for (id, size) in sizes.enumerated() { link.add(UInt64(id), bytes: size, at: 0) }
            var done = 0
            while !link.isIdle {
                time += step
                for grant in link.advance(to: time, rate: 31.7) {
                    granted[Int(grant.id)] += grant.bytes
                    done += grant.isDone ? 1 : 0
                }
            }
            #expect(granted == sizes, "step \(step)")
            #expect(done == 3)
            let whole = Double(sizes.reduce(0, +)) / 31.7
            #expect(time >= whole - 0.1 && time <= whole + step + 0.1, "step \(step) ended at \(time)")
        }
    }

    @Test("a link without a limit grants everything at once")
    func edges() {
        var link = SharedLink()
        link.add(1, bytes: 1_000_000, at: 5)
        #expect(link.advance(to: 5, rate: .infinity).map(\.bytes) == [1_000_000])
        link.add(2, bytes: 100, at: 5)
        #expect(link.advance(to: 1, rate: 10).isEmpty)
        #expect(link.advance(to: 7, rate: 10).map(\.bytes) == [20])
        link.remove(2)
        #expect(link.isIdle)
        #expect(link.nextEnd(rate: 10) == nil)
        link.add(3, bytes: 0, at: 9)
        #expect(link.advance(to: 9, rate: 10).map(\.isDone) == [true])
    }
}
