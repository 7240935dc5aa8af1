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
