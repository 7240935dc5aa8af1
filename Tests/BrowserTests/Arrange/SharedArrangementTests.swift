import JSON
import Testing

extension PageTests {
    @Suite("An arrangement that others see")
    struct SharedArrangementTests {
        /// The numbers in the pictures in sight.
        private static let inSight = "return probe.visible().map(probe.number);"

        @Test("who follows, and a script with the same words, see the same order", .inEveryBrowser)
        func followed() async throws {
            try await withPage(path: "?sort=name&order=descending") { presenter, _ in
                // In another order no picture has the number of its place.
                try await presenter.until(
                    "probe.visible().length > 0 && probe.visible().every((cell) => probe.number(cell) >= 0)", "pictures"
                )
                let numbers = try await presenter.run(Self.inSight)
                #expect(numbers != (try await presenter.run("return probe.items();")))
                let session = try await presenter.session()
                let scripted = try await presenter.wait(
                    """
                    const { gallery } = await probe.get('/api/v1/sessions/\(session)');
                    const answer = await fetch('/api/v1/galleries', {
                      method: 'POST', headers: { 'content-type': 'application/json' },
                      body: JSON.stringify({ of: 'demo', sort: 'name', order: 'descending' }),
                    });
                    const { id } = await answer.json();
                    const { items } = await probe.get(`/api/v1/galleries/${id}/items?count=${probe.items().length}`);
                    return { isSame: id === gallery, status: answer.status, originals: items.map((item) => item.original) };
                    """)
                #expect(scripted["isSame"] == true && scripted["status"] == 200)
                #expect(scripted["originals"] == numbers)
                let link = try await presenter.linkToFollow()
                try await withBrowser { follower in
                    try await follower.open(link)
                    try await follower.until(
                        "JSON.stringify(probe.visible().map(probe.number)) === JSON.stringify(args[2])",
                        "the same pictures",
                        [numbers])
                }
            }
        }
    }
}
