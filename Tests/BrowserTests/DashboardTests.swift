import Testing

extension PageTests {
    @Suite("The dashboard")
    struct Dashboard {
        @Test("one key shows and hides it; each cell wears its state while it is shown")
        func toggled() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.press("d")
                try await browser.until("!document.getElementById('dashboard').hidden", "the dashboard")
                try await browser.until(
                    "probe.filled() && probe.visible().every((cell) => cell.dataset.ring === 'ready')",
                    "a ring on each cell")
                let colors = try await browser.run(
                    """
                    const canvas = document.querySelector('[data-part="lens"]');
                    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                    const seen = new Set();
                    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
                    return seen.size;
                    """)
                #expect((colors.integer ?? 0) > 2, "the lens is empty")
                try await browser.until(
                    "[...document.querySelectorAll('.figure b')].every((b) => b.textContent !== '–')",
                    "a figure in each place")
                try await browser.press("d")
                try await browser.until(
                    "document.getElementById('dashboard').hidden && !document.querySelector('[data-ring]')",
                    "no dashboard")
            }
        }

        @Test("the demo's network is changed from the page")
        func origin() async throws {
            try await withPage(path: "?dashboard") { browser, demo in
                try await browser.until("!document.querySelector('[data-part=\"origin\"]').hidden", "the controls")
                try await browser.run(
                    """
                    const input = document.querySelector('input[name="failureRate"]');
                    input.value = 0.5;
                    input.dispatchEvent(new Event('input'));
                    input.dispatchEvent(new Event('change'));
                    """)
                try await browser.wait(
                    "await probe.until(async () => (await probe.get('/api/v1/demo/origin')).conditions.failureRate === 0.5, 'the change');"
                )
            }
        }

        @Test("a follower sees what the presenter sees, may look around, and comes back")
        func follow() async throws {
            try await withPage { presenter, demo in
                try await presenter.until("probe.filled()", "first pictures")
                let session = try await presenter.wait(
                    """
                    return performance.getEntriesByType('resource').map((entry) => entry.name.match(/sessions\\/([^/]+)\\/viewport/)?.[1]).find(Boolean);
                    """)
                let follower = try await Browser()
                do {
                    try await follower.open(demo.address + "?follow=\(session.string ?? "")")
                    try await follower.until("probe.filled()", "the follower's pictures")
                    try await presenter.run("probe.scroller.scrollTop = 70000;")
                    try await presenter.until("probe.items()[0] > 1000", "the presenter there")
                    let first = try await presenter.run("return probe.items()[0];").integer ?? -1
                    try await follower.until("probe.items()[0] === \(first) && probe.filled()", "the follower there")
                    try await follower.wheel(by: 900, turns: 3)
                    try await follower.until("probe.items()[0] > \(first)", "the follower elsewhere")
                    try await follower.run("document.querySelector('#follow button').click();")
                    try await follower.until("probe.items()[0] === \(first)", "the follower back")
                } catch {
                    await follower.quit()
                    throw error
                }
                await follower.quit()
            }
        }
    }
}
