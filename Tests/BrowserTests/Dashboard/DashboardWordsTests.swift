import JSON
import TestSupport
import Testing

extension PageTests.Dashboard {
    @Test("it leads with one sentence; nothing is cancelled before the first scroll", .inEveryBrowser)
    func sentence() async throws {
        try await withPage(latency: 150, bandwidth: 8, path: "?dashboard") { browser, _ in
            try await browser.until("probe.filled()", "first pictures")
            // Another layout is a change of mind of the page, not of the person.
            try await browser.run("probe.choose('masonry');")
            try await browser.until("probe.layout === 'masonry' && probe.filled()", "masonry")
            try await browser.run("probe.choose('grid');")
            try await browser.until("probe.filled()", "the grid again")
            #expect(
                try await browser.run("return document.querySelector('[data-field=cancelled]').textContent;") == "0"
            )
            let sentence = "document.querySelector('[data-part=sentence]').textContent"
            #expect(try await browser.run("return \(sentence).startsWith('Scroll');") == true)
            try await browser.wait(
                "for (let i = 0; i < 60; i++) { probe.scroller.scrollTop += 150; await probe.frame(); } probe.scroller.scrollTop = 90000;"
            )
            try await browser.until(
                "/^[\\d,]+ pictures? fetched before you got there, [\\d,]+ cancelled because you moved on\\.$/.test(\(sentence))",
                "the sentence")
        }
    }

    @Test(
        "five states in the legend, told apart by the colour-blind; each figure says which way is good",
        .whereEnginesDiffer, arguments: ["light", "dark"])
    func colours(scheme: String) async throws {
        try await withWarmPage(path: "?dashboard") { browser in
            try await browser.emulate(.colorScheme(scheme))
            try await browser.until("probe.filled()", "first pictures")
            let found = try await browser.run(Self.told)
            #expect(found["states"]?.integer == 5)
            #expect((found["apart"]?.number ?? 0) > 20, "\(found)")
            #expect((found["outline"]?.number ?? 0) >= 3, "\(found)")
            #expect(found["accent"] == false && found["ways"] == 7, "\(found)")
            #expect(found["red"] == ["failed"] && found["grey"] == ["cancelled", "idle"], "\(found)")
        }
    }

    /// How far the colours of the states are apart (CIE76), to the least of four kinds of eyes (Machado 2009), and the
    /// least contrast of those that outline a cell.
    private static let told = """
        const eyes = [
          [1, 0, 0, 0, 1, 0, 0, 0, 1],
          [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
          [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
          [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
        ];
        const context = new OffscreenCanvas(1, 1).getContext('2d');
        const linear = (colour) => {
          context.clearRect(0, 0, 1, 1);
          context.fillStyle = colour;
          context.fillRect(0, 0, 1, 1);
          return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((x) => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        };
        const seen = (m, [r, g, b]) => [0, 3, 6].map((i) => Math.min(1, Math.max(0, m[i] * r + m[i + 1] * g + m[i + 2] * b)));
        const lab = ([r, g, b]) => {
          const f = (t) => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
          const [x, y, z] = [f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505), f(0.2126 * r + 0.7152 * g + 0.0722 * b), f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)];
          return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
        };
        const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
        const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const swatches = [...document.querySelectorAll('.legend i')];
        const colours = swatches.map((swatch) => getComputedStyle(swatch).color);
        const ground = light(linear(getComputedStyle(document.documentElement).backgroundColor));
        let apart = Infinity;
        for (const m of eyes) colours.forEach((a, i) => colours.slice(0, i).forEach((b) => (apart = Math.min(apart, Math.hypot(...lab(seen(m, linear(a))).map((x, k) => x - lab(seen(m, linear(b)))[k]))))));
        const outlines = colours.filter((_, i) => swatches[i].dataset.swatch !== 'idle');
        const accent = document.createElement('i');
        accent.style.color = 'var(--accent)';
        document.body.append(accent);
        const named = (test) => swatches.filter((_, i) => {
          const [r, g, b] = getComputedStyle(swatches[i]).color.match(/[\\d.]+/g).map(Number);
          return test(r, g, b);
        }).map((swatch) => swatch.dataset.swatch);
        return {
          red: named((r, g, b) => r > 1.8 * g && r > 1.8 * b), grey: named((r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) < 24),
          states: swatches.length, apart, outline: Math.min(...outlines.map((colour) => contrast(light(linear(colour)), ground))),
          accent: colours.includes(getComputedStyle(accent).color),
          ways: [...document.querySelectorAll('.figure em')].filter((way) => /is better|per second/.test(way.textContent)).length,
        };
        """

    @Test("nothing stale stands while the server does not answer", .inEveryBrowser)
    func offline() async throws {
        try await withPage(path: "?dashboard") { browser, demo in
            try await browser.until("probe.filled()", "first pictures")
            try await browser.wait(
                "for (let i = 0; i < 60; i++) { probe.scroller.scrollTop += 20; await probe.frame(); }")
            try await browser.until(
                "[...document.querySelectorAll('.figure b')].every((b) => b.textContent !== '–')", "the figures")
            demo.kill()
            try await browser.until(
                """
                [...document.querySelectorAll('.figure b, #status dd')].every((field) => field.textContent === '–')
                  && document.querySelector('[data-part=sentence]').textContent === 'The server isn’t responding.'
                """, "nothing that was true once")
        }
    }
}
