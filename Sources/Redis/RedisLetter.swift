/// What other threads hand to the client's thread.
enum RedisLetter: Sendable {
    case command(RedisCommand, server: Int, RedisCommand.Completion)
    case call(@Sendable () -> Void)
    /// Where a link's server is, as a number; `nil` where that is not known.
    case resolved(link: Int, (host: String, port: UInt16)?)
    case stop
}
