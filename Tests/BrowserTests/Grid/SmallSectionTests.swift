import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Sections of a few pictures")
    struct SmallSections {
        private static let counts = [1, 2, 1, 3, 1, 1, 2, 12, 1, 1, 3, 30, 2, 1, 1, 1, 1, 1, 1, 2, 3, 3, 40, 1]

        private func serve(
            path: String = "", _ body: (Browser) async throws -> Void
        ) async throws {
            let folder = try TemporaryFolder()
            for (section, count) in Self.counts.enumerated() {
                for number in 1...count {
                    let shape = (section + number) % 3 == 0 ? (200, 300) : (300, 200)
                    try folder.write(
                        "walls/Wallpapers of kind \(section + 10)/\(number).jpg",
                        Picture.jpeg(shape.0, shape.1, red: UInt8(section * 10)))
                }
            }
            let server = try await LookaheadProcess(["serve", folder.path + "/walls"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address + path)
                try await browser.until(Self.ready, "the pictures")
                try await body(browser)
            }
        }

        private static let ready =
            "probe.visible().length > 3 && probe.visible().every((cell) => cell.dataset.state === 'ready')"

        @Test(
            "stand side by side, each under its own title, whose end is never cut, with all of it in a tooltip",
            .inEveryBrowser, arguments: ["grid", "justified", "masonry"])
        func sideBySide(kind: String) async throws {
            try await serve(path: "?layout=\(kind)") { browser in
                let found = try await browser.run(
                    """
                    const titles = [...document.querySelectorAll('#headers .header')].map((header) => {
                      const [box, name] = [header.getBoundingClientRect(), header.firstChild];
                      const text = name.getBoundingClientRect();
                      return { name: name.textContent, top: box.top, left: text.left, right: text.right, said: name.title, level: header.tagName };
                    });
                    const first = titles.filter(({ top }) => Math.abs(top - titles[0].top) < 1);
                    return {
                      first: first.length, apart: first.every(({ right }, index) => index + 1 === first.length || right <= first[index + 1].left),
                      over: first.every(({ left }) => probe.visible().some((cell) => Math.abs(cell.getBoundingClientRect().left - left) < 2)),
                      said: first.every(({ name, said, level }) => /kind \\d\\d$/.test(said) && name.slice(-2) === said.slice(-2) && level === 'H2'),
                      ends: [...document.querySelectorAll('#headers .header')].every((header) => {
                        const end = header.querySelector('b');
                        return !end || end.getBoundingClientRect().right <= header.getBoundingClientRect().right + 1;
                      }),
                      firstRow: probe.visible().filter((cell) => Math.abs(cell.getBoundingClientRect().top - probe.visible()[0].getBoundingClientRect().top) < 1).length,
                    };
                    """)
                #expect((found["first"]?.integer ?? 0) > 1, "\(found)")
                #expect(
                    found["apart"] == true && found["over"] == true && found["said"] == true && found["ends"] == true,
                    "\(kind): \(found)")
                #expect((found["firstRow"]?.integer ?? 0) > 2, "\(found)")
                // Short sections and long ones have titles of one size.
                let sizes = try await browser.run(
                    "return [...new Set([...document.querySelectorAll('#headers .header')].map((header) => getComputedStyle(header).fontSize))].length;"
                )
                #expect(sizes == 1)
                // On the rail a title gives way in its middle: its end tells it from its neighbours.
                let labels = try await browser.run(
                    """
                    const rail = document.getElementById('scrubber').getBoundingClientRect();
                    const labels = [...document.querySelectorAll('#scrubber [data-part=labels] span')];
                    return labels.filter((label) => label.checkVisibility({ visibilityProperty: true })).map((label) => {
                      const [head, tail] = label.children;
                      return (head.textContent.endsWith('…') || head.scrollWidth > head.clientWidth) && tail.textContent.length > 1 && tail.getBoundingClientRect().right <= rail.right;
                    });
                    """)
                #expect(labels.array?.isEmpty == false && labels.array?.allSatisfy { $0 == true } == true, "\(labels)")
                // Their titles stay at the top, each where it was.
                let stuck = try await browser.wait(
                    """
                    probe.scroller.scrollTop = 80;
                    await probe.until(() => !document.getElementById('stuck').hidden, 'the titles at the top');
                    return [...document.querySelectorAll('#stuck .header')].map((header) => {
                      const below = [...document.querySelectorAll('#headers .header')].find((other) => other.textContent === header.textContent);
                      return Math.abs(below.getBoundingClientRect().left - header.getBoundingClientRect().left);
                    });
                    """)
                #expect(stuck.array?.count == found["first"]?.integer, "\(stuck)")
                #expect(stuck.array?.allSatisfy { ($0.number ?? 9) < 1 } == true, "\(stuck)")
            }
        }

        @Test("the page and the server reckon the same frames, whatever the width, the size and the limit")
        func sameFrames() async throws {
            try await serve { browser in
                let different = try await browser.wait(
                    """
                    const { GridLayout } = await import('./js/layout/grid-layout.js');
                    const { layoutOptions } = await import('./js/layout/layout-options.js');
                    const gallery = (await probe.get('/api/v1/galleries')).galleries[0];
                    for (let round = 0; round < 60; round++) {
                      const width = 160 + round * 37;
                      const layout = { ...layoutOptions({ width, density: round % 6, titled: round % 7 > 0 }), smallSectionLimit: round % 5 };
                      const answer = await fetch('/api/v1/sessions', {
                        method: 'POST', headers: { 'content-type': 'application/json' },
                        body: JSON.stringify({ gallery: gallery.id, layout, viewport: { width, height: 400 }, prefetching: false }),
                      });
                      const session = await answer.json();
                      const { frames } = await probe.get(`/api/v1/sessions/${session.id}/layout`);
                      fetch(`/api/v1/sessions/${session.id}`, { method: 'DELETE' });
                      const page = new GridLayout(layout, width, gallery.sections, gallery.itemCount);
                      if (Math.abs(page.contentHeight - session.contentHeight) > 1e-6) return { round, here: page.contentHeight, there: session.contentHeight };
                      for (let item = 0; item < gallery.itemCount; item++) {
                        const { x, y, width, height } = page.frame(item);
                        const there = frames.slice(item * 4, item * 4 + 4);
                        if ([x, y, width, height].some((value, index) => Math.abs(value - there[index]) > 0.0051)) return { round, item, here: [x, y, width, height], there };
                      }
                    }
                    return null;
                    """)
                #expect(different == .null, "\(different)")
            }
        }

        @Test(
            "arrows lead through rows of several sections, a place among them is kept, and the rail steps over rows",
            .enabled(if: Weekly.isOn, "runs weekly"), arguments: ["grid", "justified"])
        func ways(kind: String) async throws {
            try await serve(path: "?layout=\(kind)") { browser in
                let walked = try await browser.wait(
                    """
                    probe.cell(0).focus();
                    const press = async (key) => {
                      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
                      await probe.frame();
                      await probe.frame();
                      return probe.focused();
                    };
                    const before = probe.box(0).y;
                    const end = await press('End');
                    const level = Math.abs(probe.box(end).y - before) < 1;
                    const down = await press('ArrowDown');
                    const below = probe.box(down).y > before;
                    const up = await press('ArrowUp');
                    const back = Math.abs(probe.box(up).y - before) < 1;
                    return { end, level, below, back };
                    """)
                #expect((walked["end"]?.integer ?? 0) > 1, "\(walked)")
                #expect(walked["level"] == true && walked["below"] == true && walked["back"] == true, "\(walked)")
                // A place in the middle, and back there after another layout: to the pixel where no shapes were learned since.
                try await browser.run("probe.scroller.scrollTop = 900;")
                try await browser.until("location.search.includes('item=') && \(Self.ready)", "further down")
                let first = try await browser.run("return probe.items().at(-1);").integer ?? -1
                try await browser.run("probe.choose('masonry');")
                try await browser.until("location.search.includes('masonry')", "columns")
                try await browser.run("probe.choose('\(kind)');")
                try await browser.until(
                    kind == "grid" ? "probe.scroller.scrollTop === 900" : "probe.items().includes(\(first))",
                    "the same place")
                // Each press of an arrow on the rail is a row further.
                let tops = try await browser.wait(
                    """
                    const rail = document.getElementById('scrubber');
                    probe.scroller.scrollTop = 0;
                    const tops = [];
                    for (let i = 0; i < 4; i++) {
                      rail.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
                      await probe.calm();
                      tops.push(probe.scroller.scrollTop);
                    }
                    return tops;
                    """)
                let numbers = (tops.array ?? []).compactMap(\.number)
                #expect(numbers.count == 4 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(tops)")
            }
        }

        @Test("on paper they stand side by side, too", .inEveryBrowser)
        func printed() async throws {
            try await serve { browser in
                let columns = try await browser.wait(
                    """
                    await probe.until(() => dispatchEvent(new Event('beforeprint')) && document.querySelector('#print li'), 'paper');
                    const sections = [...document.querySelectorAll('#print section')];
                    const few = sections.map((section) => section.dataset.few ?? '');
                    dispatchEvent(new Event('afterprint'));
                    return few;
                    """)
                #expect(columns.array?.prefix(3) == ["1", "2", "1"], "\(columns)")
            }
        }
    }
}
