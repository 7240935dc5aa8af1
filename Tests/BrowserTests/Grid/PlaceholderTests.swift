import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Before a picture comes")
    struct PlaceholderTests {
        @Test(
            "its cell shows a blur of it, also where one jumps to, and also where no picture comes", .whereEnginesDiffer
        )
        func jump() async throws {
            try await withPage(items: 100_000, latency: 60_000, arguments: ["--jitter", "0"]) { browser, _ in
                let isBlurred = "probe.visible().length > 10 && probe.visible().every(probe.isBlurred)"
                try await browser.until(isBlurred, "blurs of the first screen")
                #expect(try await browser.run("return probe.visible().some(probe.hasPicture);") == false)
                for part in [0.5, 0.9, 0.2, 1] {
                    let first = try await browser.run("return probe.items()[0];")
                    try await browser.run("probe.scroller.scrollTop = \(part) * probe.scroller.scrollHeight;")
                    try await browser.until(
                        "probe.items()[0] !== \(first.integer ?? -1) && \(isBlurred)", "blurs where the jump led")
                }
            }
        }

        @Test("the blur of a picture has its colours where the picture has them", .whereEnginesDiffer)
        func likeness() async throws {
            try await withWarmPage(path: "?item=300") { browser in
                try await browser.until("probe.filled()", "pictures")
                let found = try await browser.wait(
                    """
                    const { draw } = await import('./js/thumbnails/thumb-hash.js');
                    const cells = probe.visible();
                    const first = Number(cells[0].dataset.item);
                    const answer = await fetch(`api/v1/galleries/demo/placeholders?from=${first}&count=${cells.length}`);
                    const bytes = new Uint8Array(await answer.arrayBuffer());
                    const blurs = cells.map((_, index) => {
                      const canvas = document.createElement('canvas');
                      draw(bytes.subarray(index * 25, index * 25 + 25), canvas);
                      return canvas;
                    });
                    const pixels = (source, { width, height }) => {
                      const canvas = Object.assign(document.createElement('canvas'), { width, height });
                      const context = canvas.getContext('2d');
                      context.imageSmoothingQuality = 'high';
                      context.drawImage(source, 0, 0, width, height);
                      return context.getImageData(0, 0, width, height).data;
                    };
                    const distance = (blur, cell) => {
                      const [drawn, picture] = [pixels(blur, blur), pixels(cell.querySelector('img'), blur)];
                      return drawn.reduce((sum, value, index) => sum + Math.abs(value - picture[index]), 0) / drawn.length;
                    };
                    return blurs.map((blur, index) => [distance(blur, cells[index]), distance(blur, cells[(index + 7) % cells.length])]);
                    """
                )
                let pairs = (found.array ?? []).compactMap { $0.array?.compactMap(\.number) }
                try #require(pairs.count > 20 && pairs.allSatisfy { $0.count == 2 })
                let own = pairs.reduce(0) { $0 + $1[0] } / Double(pairs.count)
                let other = pairs.reduce(0) { $0 + $1[1] } / Double(pairs.count)
                #expect(own * 2 < other, "to its own picture \(own) of 255, to another's \(other)")
            }
        }

        @Test("in a folder no cell is ever without one, wherever one jumps to or drags the bar to", .inEveryBrowser)
        func folder() async throws {
            let folder = try TemporaryFolder()
            for number in 0..<600 {
                try folder.write(
                    "pictures/\(number).jpg", Picture.jpeg(60, 40, red: UInt8(number % 256), green: UInt8(number / 3)))
            }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            // Nobody has looked at a picture yet.
            try await eventually("the folder's placeholders") {
                let bytes = try await TestClient.exchange(
                    "GET", port: server.port, path: "/api/v1/galleries/pictures/placeholders?count=600"
                ).body
                return bytes.count == 15_000 && !stride(from: 0, to: 15_000, by: 25).contains { bytes[$0 + 3] & 7 == 0 }
            }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until("probe.visible().length > 10 && probe.grey() === 0", "a screen of blurs")
                try await browser.until(
                    """
                    (() => {
                      const blocks = new Set();
                      for (const { name } of performance.getEntriesByType('resource')) {
                        if (!name.includes('/placeholders?')) continue;
                        const { searchParams } = new URL(name);
                        const [from, count] = ['from', 'count'].map((key) => Number(searchParams.get(key)));
                        for (let block = from / 64; block < (from + count) / 64; block++) blocks.add(block);
                      }
                      return blocks.size >= 10;
                    })()
                    """, "all of them at rest")
                let seen = try await browser.wait(
                    """
                    const { scroller } = probe;
                    let [grey, cells] = [0, 0];
                    const limit = scroller.scrollHeight - scroller.clientHeight;
                    const places = [0.5, 0.1, 0.95, 0.3, 1, 0];
                    // And a drag: a screen with every frame.
                    for (let top = 0; top < limit; top += scroller.clientHeight) places.push(top / limit);
                    for (const place of places) {
                      scroller.scrollTop = place * limit;
                      await probe.frame();
                      await probe.frame();
                      cells += probe.visible().length;
                      grey += probe.grey();
                    }
                    return { grey, cells };
                    """)
                #expect(seen["grey"] == 0 && (seen["cells"]?.integer ?? 0) > 200, "\(seen)")
            }
        }
    }
}
