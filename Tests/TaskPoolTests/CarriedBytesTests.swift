import TaskPool
import Testing

/// Pictures that were fetched and wait to be rendered.
@Suite
struct CarriedBytesTests: DrivesCore {
    private func pool(carried: Int, reserve: Int) -> TaskPoolCore<Int> {
        var limits = TaskPoolLimits()
        limits.lookUp = 1_000
        limits.fetch = 1
        limits.fetchReserve = 0
        limits.render = 1
        limits.carriedBytes = carried
        limits.carriedReserve = reserve
        return TaskPoolCore(limits: limits)
    }

    /// Has fetches bring 10 bytes each until no more starts; the tickets of renders that started.
    private func fetchAll(_ core: inout TaskPoolCore<Int>, _ fetches: [Ticket<Int>]) -> [Ticket<Int>] {
        var renders: [Ticket<Int>] = []
        var fetches = fetches
        while let ticket = fetches.popLast() {
            for next in missing(&core, core.finish(ticket, .advance(to: .render, bytes: 10), now: 0)) {
                if next.kind == .render { renders.append(next) } else { fetches.append(next) }
            }
        }
        return renders
    }

    @Test("prefetching fetches up to the limit, and goes on as pictures are rendered or let go of")
    func limit() throws {
        var core = pool(carried: 100, reserve: 50)
        let start = missing(&core, core.want(wants(0..<500, visible: false), session: a, now: 0))
        let renders = fetchAll(&core, start)
        #expect(renders.count == 1)
        #expect((91...110).contains(core.counts.carriedBytes))
        let held = core.counts.queued.render + core.counts.running.render
        let more = missing(&core, core.finish(renders[0], .ready, now: 0))
        #expect(more.map(\.kind).contains(.render))
        _ = fetchAll(&core, more.filter { $0.kind == .fetch })
        #expect(core.counts.queued.render + core.counts.running.render <= held)
        #expect(core.counts.queued.render + core.counts.running.render >= held - 1)
        for case .abort(let ticket) in core.end(session: a, now: 0) { _ = core.finish(ticket, .cancelled, now: 0) }
        #expect(core.counts.carriedBytes == 0)
        #expect(core.isIdle)
    }

    @Test("what is visible is fetched although prefetching fills the limit, up to the reserve")
    func reserve() {
        var core = pool(carried: 100, reserve: 50)
        _ = fetchAll(&core, missing(&core, core.want(wants(0..<500, visible: false), session: a, now: 0)))
        let before = core.counts.carriedBytes
        _ = fetchAll(&core, missing(&core, core.want(wants(500..<900, visible: true), session: b, now: 0)))
        #expect(core.counts.carriedBytes > before)
        #expect(core.counts.carriedBytes <= 100 + 50 + 10)
    }

    @Test("large pictures are rendered one at a time, hold their bytes, and leave the slots of the other pictures")
    func largePictures() {
        var core = pool(carried: 100, reserve: 0)
        var renders = fetchAll(&core, missing(&core, core.want(wants(0..<3, visible: true), session: a, now: 0)))
        var large: [Ticket<Int>] = []
        for _ in 0..<2 {
            let ticket = renders.removeLast()
            for next in missing(&core, core.finish(ticket, .advance(to: .largeRender, bytes: 10), now: 0)) {
                if next.kind == .largeRender { large.append(next) } else { renders.append(next) }
            }
        }
        #expect(renders.map(\.kind) == [.render] && large.count == 1)
        #expect(core.counts.queued.largeRender == 1 && core.counts.carriedBytes == 30)
        #expect(missing(&core, core.finish(large[0], .ready, now: 0)).map(\.kind) == [.largeRender])
        #expect(core.counts.carriedBytes == 20)
    }

    @Test("one picture larger than the limit is fetched nevertheless")
    func largePicture() {
        var core = pool(carried: 1, reserve: 0)
        let fetch = missing(&core, core.want(wants([1], visible: false), session: a, now: 0))
        #expect(fetchAll(&core, fetch).map(\.key) == [1])
    }
}
