import JSON
import TestSupport
import Testing

extension PageTests.Races {
    @Test("whoever wants no motion starts it by the button", .inEveryBrowser)
    func withoutMotion() async throws {
        try await withPage { browser, _ in
            try await browser.emulate(.reducedMotion)
            try await browser.until("probe.filled()", "first pictures")
            try await browser.run("document.getElementById('race-open').click();")
            try await browser.wait(Self.helpers + "await probe.until(() => part('terms').textContent, 'a race');")
            #expect(try await browser.run(Self.helpers + "return race.dataset.state;") == "ready")
            try await browser.run(Self.helpers + "part('start').click();")
            try await state("running", browser)
        }
    }

    @Test("the style of the chart leaves a cell's blur alone, and the bar stays on one line", .inEveryBrowser)
    func chartAndBar() async throws {
        try await withPage { browser, demo in
            try await browser.resize(width: 1440, height: 900)
            try await browser.until("Math.abs(innerWidth - 1440) < 20", "the window")
            try await browser.open(demo.address + "?race=operation-queue:off,scroll-end:off&trace=read")
            try await ready(browser)
            try await state("running", browser)
            let found = try await browser.run(
                Self.helpers
                    + """
                    // A blur comes and goes with the network: a canvas in a cell stands for it.
                    const cell = cells(panes[0])[0];
                    const blur = document.createElement('canvas');
                    cell.prepend(blur);
                    const { position, height } = getComputedStyle(blur);
                    const isWhole = Math.abs(parseFloat(height) - cell.clientHeight) < 1;
                    blur.remove();
                    const middles = [...race.querySelectorAll('form > *')].filter((part) => part.getClientRects().length).map((part) => {
                      const { top, bottom } = part.getBoundingClientRect();
                      return (top + bottom) / 2;
                    });
                    return {
                      position, isWhole, menus: [...race.querySelectorAll('form select')].filter((menu) => menu.getClientRects().length).length,
                      isOneLine: Math.max(...middles) - Math.min(...middles) < 8, chart: getComputedStyle(part('chart')).display,
                    };
                    """)
            #expect(found["position"] == "absolute" && found["isWhole"] == true, "\(found)")
            #expect(found["chart"] == "block" && found["menus"] == 4 && found["isOneLine"] == true, "\(found)")
        }
    }

    @Test(
        "on a phone, upright and on its side, and at 400 % zoom, the panes keep their height and menus their words",
        .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser, arguments: [[390, 844], [844, 390], [320, 256]])
    func phone(size: [Int]) async throws {
        try await withPage { browser, _ in
            try await browser.emulate(.device(width: size[0], height: size[1], scale: 2, touch: true))
            try await browser.until("innerWidth === \(size[0])", "the window")
            try await browser.run("history.replaceState(null, '', '?race'); location.reload();")
            try await browser.until("document.getElementById('race')?.open", "the race")
            try await ready(browser)
            let boxes = try await browser.run(
                Self.helpers
                    + """
                    const [a, b] = panes.map((pane) => pane.querySelector('.view').getBoundingClientRect());
                    const outside = [...race.querySelectorAll('*')].filter((e) => e.getClientRects().length && !e.closest('.view, .spoken') && e.getBoundingClientRect().right > innerWidth + 1);
                    // The words of a menu, as wide as they are written.
                    const ruler = document.createElement('span');
                    ruler.style.cssText = 'position: absolute; white-space: nowrap';
                    race.append(ruler);
                    const cut = [part('race'), part('scroll')].filter((menu) => {
                      ruler.style.font = getComputedStyle(menu).font;
                      ruler.textContent = menu.selectedOptions[0].textContent;
                      return ruler.offsetWidth > menu.clientWidth - 42;
                    }).map((menu) => menu.value);
                    return { stacked: a.bottom <= b.top, height: Math.min(a.height, b.height), outside: outside.map((e) => e.outerHTML.slice(0, 80)), cut };
                    """)
            #expect(boxes["stacked"] == .bool(size[0] < 700))
            #expect((boxes["height"]?.number ?? 0) > 150, "\(boxes)")
            #expect(boxes["outside"] == [] && boxes["cut"] == [], "\(boxes)")
            // The verdict comes into sight by itself.
            try await state("running", browser)
            try await browser.run(Self.helpers + "part('start').click();")
            try await state("done", browser)
            let top = try await browser.run(Self.helpers + "return part('headline').getBoundingClientRect().top;")
            #expect((0..<Double(size[1]) - 20).contains(top.number ?? -1), "\(top)")
        }
    }
}
