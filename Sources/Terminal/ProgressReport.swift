import Foundation
import Glibc
import Synchronization

/// Reports the progress of long work on standard error, from any thread.
package final class ProgressReport: Sendable {
    private struct State {
        var text: ProgressText
        var done = 0
    }

    private let state: Mutex<State>

    package init(_ title: String, unit: String) {
        // By convention "dumb" means a terminal that cannot return to the start of its line.
        let isTerminal = isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        state = Mutex(State(text: ProgressText(title, unit: unit, isTerminal: isTerminal, at: Self.now)))
    }

    package func update(_ done: Int, share: Double? = nil) {
        state.withLock { state in
            state.done = done
            Self.write(state.text.update(done, share: share, at: Self.now))
        }
    }

    /// Reports that one more of `total` is done.
    package func advance(of total: Int) {
        state.withLock { state in
            state.done += 1
            Self.write(state.text.update(state.done, share: Double(state.done) / Double(max(1, total)), at: Self.now))
        }
    }

    package func update(_ done: Int, of total: Int) { update(done, share: Double(done) / Double(max(1, total))) }

    package func end() { state.withLock { Self.write($0.text.end($0.done, at: Self.now)) } }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    private static func write(_ text: String?) {
        if let text { FileHandle.standardError.write(Data(text.utf8)) }
    }
}
