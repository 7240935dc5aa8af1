/// A message from another thread to the client's thread.
enum RedisLetter: Sendable {
    case command(RedisCommand, server: Int, RedisCommand.Completion)
    case call(@Sendable () -> Void)
    /// To be called with others, as it has time.
    case later(@Sendable () -> Void)
    /// Where a connection's server is; `nil` where that is not known.
    case resolved(connection: Int, ServerAddress?)
    case stop
}
