import Numbers
import Testing

@Suite struct ClampedNumberTests {
    @Test(
        "a number is truncated toward zero and clamped to the integer type",
        arguments: [
            (2.9, 2), (-2.9, -2), (-0.0, 0), (.nan, 0), (.infinity, Int.max), (-.infinity, Int.min),
            (1e300, Int.max), (-1e300, Int.min), (0x1p63, Int.max), (-0x1p63, Int.min),
            ((0x1p63).nextDown, Int(0x1p63.nextDown)), (.leastNonzeroMagnitude, 0),
        ])
    func integers(number: Double, integer: Int) {
        #expect(Int(clamping: number) == integer)
        #expect(Int64(clamping: number) == Int64(integer))
        #expect(UInt8(clamping: number) == UInt8(clamping: integer))
    }

    @Test("a number is clamped to bounds, and NaN becomes the lower bound")
    func bounds() {
        #expect([-1e300, 3.7, 8, .infinity, .nan].map { Int(clamping: $0, to: 1...7) } == [1, 3, 7, 7, 1])
    }

    @Test(
        "the largest number of each type is kept",
        arguments: [(0x1p64, UInt64.max), ((0x1p64).nextDown, UInt64(0x1p64.nextDown)), (-1, 0)])
    func unsigned(number: Double, integer: UInt64) { #expect(UInt64(clamping: number) == integer) }

    @Test(
        "a time of any length becomes a duration of at most 10¹² s",
        arguments: [
            (1.5, .milliseconds(1_500)), (-0.25, .milliseconds(-250)), (.nan, .zero),
            (1e300, .seconds(1_000_000_000_000)), (-.infinity, .seconds(-1_000_000_000_000)),
        ] as [(Double, Duration)])
    func durations(seconds: Double, duration: Duration) {
        #expect(Duration(clampingSeconds: seconds) == duration)
        #expect(Duration(clampingMilliseconds: seconds * 1e3) == duration)
    }
}
