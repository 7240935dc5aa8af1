import Fetch
import Media
import Testing

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:00 GMT.
    private let now = 784_111_740

    @Test(
        "Retry-After is read as seconds or as a date, and is at most a day",
        arguments: [
            ("120", 120.0), ("0", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
            ("Sun, 06 Nov 2094 08:48:00 GMT", 86_400), ("99999999999999999999", 86_400),
        ])
    func read(text: String, wait: Double) {
        #expect(RetryAfter.seconds(text, now: now) == wait)
    }

    @Test(
        "a malformed Retry-After is ignored",
        arguments: ["", "-5", "1.5", "soon", "Sun, 40 Nov 1994 08:49:37 GMT", "１２"])
    func unread(text: String) {
        #expect(RetryAfter.seconds(text, now: now) == nil)
    }

    @Test("Retry-After dates respect leap days")
    func leapDay() {
        // 29 February, 00:00.
        #expect(RetryAfter.seconds("Fri, 01 Mar 2024 00:00:00 GMT", now: 1_709_164_800) == 86_400)
    }
}
