import JSON
import Testing

extension PageTests {
    @Suite("Shared orders")
    struct SharedArrangementTests {
        @Test(
            "a follower of the page, and a script that requests the same order, get the same pictures", .inEveryBrowser)
        func followed() async throws {
            try await withPage(path: "?sort=name&order=descending") { presenter, _ in
                // In another order, the number in a picture differs from its position.
                try await presenter.until(
                    "probe.visible().length > 0 && probe.visible().every((cell) => probe.number(cell) >= 0)", "pictures"
                )
                let numbers = try await presenter.run("return arrangeProbe.numbers();")
                #expect(numbers != (try await presenter.run("return probe.items();")))
                let session = try await presenter.session()
                let scripted = try await presenter.wait(
                    "return await arrangeProbe.compareOrder('\(session)');")
                #expect(scripted["isSame"] == true && scripted["status"] == 200)
                #expect(scripted["originals"] == numbers)
                let link = try await presenter.linkToFollow()
                try await withBrowser { follower in
                    try await follower.open(link)
                    try await follower.until(
                        "JSON.stringify(arrangeProbe.numbers()) === JSON.stringify(args[2])",
                        "the same pictures",
                        [numbers])
                }
            }
        }
    }
}
