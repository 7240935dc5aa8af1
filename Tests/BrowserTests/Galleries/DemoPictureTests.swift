import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The demo's pictures")
    struct DemoPictures {
        @Test(
            "as people see them: of 24 kinds, in three shapes, without a strip of bars, from places and months over years",
            .inEveryBrowser)
        func library() async throws {
            let demo = try await LookaheadProcess(
                ["demo", "--items", "100000", "--latency", "0", "--bandwidth", "1000"], isForPeople: true)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open(demo.address + "?layout=justified")
                try await browser.until(
                    "probe.visible().length > 10 && probe.visible().every((cell) => cell.dataset.state === 'ready' && probe.hasPicture(cell))",
                    "pictures")
                let seen = try await browser.wait(
                    """
                    const cells = probe.visible();
                    const shapes = cells.map((cell) => cell.clientWidth / cell.clientHeight);
                    const { items } = await probe.get('/api/v1/galleries/demo/items?count=400');
                    const { sections } = await probe.get('/api/v1/galleries/demo');
                    const titles = sections.map(({ title }) => title.match(/^(.+), (\\p{L}+) (20\\d\\d)$/u) ?? []);
                    return {
                      striped: cells.filter((cell) => probe.number(cell) !== -2).length,
                      kinds: new Set(items.map(({ title }) => title.replace(/ [\\d]+$/, ''))).size,
                      portrait: shapes.some((shape) => shape < 0.9), landscape: shapes.some((shape) => shape > 1.2 && shape < 1.8),
                      panorama: shapes.some((shape) => shape > 1.9),
                      places: new Set(titles.map(([, place]) => place)).size, years: new Set(titles.map(([, , , year]) => year)).size,
                    };
                    """)
                #expect(seen["striped"] == 0 && (seen["kinds"]?.integer ?? 0) == 24, "\(seen)")
                #expect(seen["portrait"] == true && seen["landscape"] == true && seen["panorama"] == true, "\(seen)")
                #expect((seen["places"]?.integer ?? 0) > 10 && (seen["years"]?.integer ?? 0) >= 5, "\(seen)")
            }
        }
    }
}
