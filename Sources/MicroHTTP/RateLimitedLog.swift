import Synchronization
import Threads

/// Passes on ten lines a second at most, and says how many it left out.
final class RateLimitedLog: Sendable {
    private struct State {
        /// When the second began that the lines are counted of.
        var began = ContinuousClock.now
        var lines = 0
        var left = 0
    }
    private let state = Mutex(State())
    private let output: (@Sendable (String) -> Void)?

    init(_ output: (@Sendable (String) -> Void)?) { self.output = output }

    func write(_ line: String) {
        guard let output else { return }
        let now = ContinuousClock.now
        let left = state.withLock { state -> Int? in
            if now - state.began >= .seconds(1) {
                let left = state.left
                state = State(began: now, lines: 1)
                return left
            }
            state.lines += 1
            if state.lines <= 10 { return 0 }
            state.left += 1
            return nil
        }
        guard let left else { return }
        var text = line
        while text.last?.isNewline == true { text.removeLast() }
        output(left > 0 ? "\(text) (\(left) lines before this were left out)" : text)
    }
}
