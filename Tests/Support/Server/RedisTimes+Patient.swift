import Cluster

extension RedisTimes {
    /// A slow machine is no reason to go on alone: an answer may take 30 s. What comes by itself comes soon.
    package static let patient: RedisTimes = {
        var times = RedisTimes()
        (times.reply, times.greeting) = (.seconds(30), .seconds(30))
        (times.shortestPause, times.longestPause, times.pulse) = (
            .milliseconds(20), .milliseconds(200), .milliseconds(100)
        )
        return times
    }()
}
