/// The monotonic time since it was made.
package struct Stopwatch: Sendable {
    private let began = MonotonicClock.now

    package init() {}

    package var milliseconds: Double { Double(MonotonicClock.now - began) / 1e6 }
}
