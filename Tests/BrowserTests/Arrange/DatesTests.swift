import JSON
import Testing

extension PageTests {
    @Suite("Where dates lead")
    struct DatesTests {
        /// The months of the demo, newest first: `[{month, from, count}]`, and what a person calls them.
        private static let months = """
            const { id } = await (await fetch('api/v1/galleries', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ of: 'demo', sort: 'taken', order: 'descending', group: 'month' }) })).json();
            const { months } = await probe.get(`/api/v1/galleries/${id}/timeline`);
            const { monthInWords } = await import('./js/grid/picture-in-words.js');
            """

        private static let current = "document.querySelector('#scrubber [data-part=current]').textContent"

        @Test("the rail has years and months, and one goes to a date", .inEveryBrowser)
        func rail() async throws {
            try await withPage(path: "?sort=taken") { browser, _ in
                try await browser.until("/^[A-Z][a-z]{2} 20\\d\\d$/.test(\(Self.current))", "the month one is in")
                let told = try await browser.wait(
                    """
                    \(Self.months)
                    const middle = months[Math.floor(months.length / 2)];
                    const [first] = document.querySelectorAll('#headers .header span');
                    return { first: first.textContent, expected: monthInWords(months[0].month), middle: monthInWords(middle.month), item: middle.from };
                    """)
                #expect(told["first"] == told["expected"])
                let years = try await browser.run(
                    "return [...document.querySelectorAll('#scrubber [data-year]')].map((label) => Number(label.textContent));"
                )
                let inOrder = (years.array ?? []).compactMap(\.integer)
                #expect(inOrder == [2025, 2024])
                try await browser.press("g")
                try await browser.run(
                    "document.querySelector('#go [name=place]').value = arguments[0];", [told["middle"] ?? ""])
                try await browser.press(Key.enter)
                try await browser.until(
                    "Number(document.activeElement.dataset.item) === args[2]", "the first of the month",
                    [told["item"] ?? 0])
                let header = try await browser.run(
                    "return [...document.querySelectorAll('#headers .header')].filter((header) => Math.abs(header.getBoundingClientRect().top - probe.scroller.getBoundingClientRect().top) < 3).map((header) => header.firstChild.textContent);"
                )
                #expect(header == [told["middle"] ?? ""])
            }
        }

        @Test("while it scrolls the date stands beside the handle, and goes when it rests", .inEveryBrowser)
        func floating() async throws {
            try await withWarmPage(path: "?sort=taken&group=none", width: 820, height: 700) { browser in
                try await browser.until(
                    "probe.visible().length > 0 && !document.getElementById('arrange-open').disabled", "the page")
                let date = "document.querySelector('#scrubber [data-part=date]')"
                #expect(try await browser.run("return \(date).checkVisibility();") == false)
                // It needs the months, which come after the pictures.
                try await browser.wait(
                    """
                    await probe.until(() => {
                      probe.scroller.scrollTop += 900;
                      return \(date).checkVisibility() && /^[A-Z][a-z]+ 20\\d\\d$/.test(\(date).textContent);
                    }, 'the date');
                    """)
                try await browser.until("!\(date).checkVisibility()", "no date")
            }
        }
    }
}
