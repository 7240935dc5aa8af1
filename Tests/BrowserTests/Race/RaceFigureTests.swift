import JSON
import Testing

extension PageTests {
    @Suite("The figures of a race")
    struct RaceFigures {
        @Test("blank share and settle time are reckoned as replay does")
        func tally() async throws {
            try await withPage { browser, _ in
                let result = try await browser.wait(
                    """
                    const { Tally } = await import('/js/race/tally.js');
                    const tally = new Tally();
                    // 100 ms full, 100 ms half blank and moving fast, 200 ms a quarter blank at rest, then full again for 400.
                    tally.frame(0, { cells: 20, blank: 0, top: 0 });
                    tally.frame(100, { cells: 20, blank: 10, top: 50 });
                    tally.frame(200, { cells: 20, blank: 5, top: 1050 });
                    tally.frame(400, { cells: 20, blank: 0, top: 1050 });
                    tally.frame(800, { cells: 20, blank: 20, top: 1060 });
                    tally.finish(1000);
                    return { blank: tally.blankShare, slow: tally.slowBlankShare, settles: tally.settles, longest: tally.settle };
                    """)
                // Cell-ms in view: 20 x 1000; blank: 10 x 100 + 5 x 200 + 20 x 200.
                #expect(result["blank"] == .number(6000.0 / 20_000))
                // The 100 ms from 100 to 200 moved 1,000 px: too fast to look.
                #expect(result["slow"] == .number(5000.0 / 18_000))
                // The first stop begins at 200 and is full at 400; the last one begins at 800 and is never.
                #expect(result["settles"] == [200, 200])
                #expect(result["longest"] == 200)
            }
        }

        @Test("the verdict names the better one by what a person sees, and calls a draw a draw")
        func verdict() async throws {
            try await withPage { browser, _ in
                let answer = try await browser.wait(
                    """
                    const { verdict } = await import('/js/race/verdict.js');
                    const side = (name, blank, slow, settle, waste) => ({ name, blank, slow, settle, waste });
                    const [a, b] = [side('A', 0.3, 0.2, 150, 0.1), side('B', 0.05, 0.01, 0, 0.2)];
                    return [verdict([a, b]), verdict([b, a]), verdict([a, { ...a, name: 'C' }]), verdict([{ ...a, settle: 0 }, b])];
                    """)
                let space = "\u{a0}"
                let result = try #require(answer.array)
                let first = result[0]
                let details = (first["details"]?.array ?? []).compactMap(\.string)
                #expect(first["winner"] == 1)
                #expect(
                    first["headline"]?.string
                        == "less blank with B: A 30\(space)% of the time, B 5.0\(space)%.")
                #expect(first["ratio"] == "6.0×")
                // The figures stand in the order of the sides.
                #expect(result[1]["winner"] == 0)
                #expect(
                    result[1]["headline"]?.string
                        == "less blank with B: B 5.0\(space)% of the time, A 30\(space)%.")
                #expect(
                    details[1]
                        == "Longest wait for a full screen after a stop: 150\(space)ms and 0\(space)ms.")
                #expect(
                    (result[3]["details"]?.array?[1].string) == "Both were full as soon as they stopped.",
                    "a tie of zeros")
                #expect(result[2]["winner"] == .null)
                #expect(
                    result[2]["headline"]?.string
                        == "A draw: 30\(space)% and 30\(space)% of what came into view was blank.")
            }
        }
    }
}
