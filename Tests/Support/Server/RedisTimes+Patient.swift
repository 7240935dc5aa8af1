import Cluster

extension RedisTimes {
    /// Times for slow test machines. A reply may take 30 s before the server continues without Redis, but pauses and pulses are
    /// short.
    package static let patient: RedisTimes = {
        var times = RedisTimes()
        (times.reply, times.greeting) = (.seconds(30), .seconds(30))
        (times.shortestPause, times.longestPause, times.pulse) = (
            .milliseconds(20), .milliseconds(200), .milliseconds(100)
        )
        return times
    }()
}
