/// How long a client waits, in microseconds.
package struct RedisTimes: Sendable {
    /// For the reply to a command. Default 100 ms.
    package var reply: Int64 = 100_000
    /// For connecting and authenticating, for which no caller waits. Default 500 ms.
    package var greeting: Int64 = 500_000
    /// After a first failure; it doubles with each further one. Default 200 ms.
    package var shortestPause: Int64 = 200_000
    /// Default 2 s.
    package var longestPause: Int64 = 2_000_000
    /// For a sentinel to connect, and again to answer. Default 100 ms.
    package var sentinel: Int64 = 100_000
    /// From one ``RedisClient/Event/pulse`` to the next. Default 1 s.
    package var pulse: Int64 = 1_000_000

    package init() {}
}
