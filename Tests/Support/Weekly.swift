import Foundation

/// Whether to run the tests that take too long for every commit. `Tests/weekly.sh` runs them too.
package enum Weekly {
    package static let isOn = ProcessInfo.processInfo.environment["LOOKAHEAD_WEEKLY"] != nil
}
