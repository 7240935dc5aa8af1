/// How long a client waits.
package struct RedisTimes: Sendable {
    /// For the reply to a command. Default 100 ms.
    package var reply = Duration.milliseconds(100)
    /// For connecting and authenticating, for which no caller waits. Default 500 ms.
    package var greeting = Duration.milliseconds(500)
    /// After a first failure; it doubles with each further one. Default 200 ms.
    package var shortestPause = Duration.milliseconds(200)
    /// Default 2 s.
    package var longestPause = Duration.seconds(2)
    /// For a sentinel to connect, and again to answer. Default 100 ms.
    package var sentinel = Duration.milliseconds(100)
    /// From one ``RedisClient/Event/pulse`` to the next. Default 1 s.
    package var pulse = Duration.seconds(1)

    package init() {}
}
