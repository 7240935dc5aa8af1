/// A command, as its words.
package struct RedisCommand: Sendable {
    var words: [[UInt8]]
    /// The place of a script among those of the client, for `EVALSHA`; its name is then put before the words.
    var script: Int?

    package init(_ words: String...) { self.words = words.map { Array($0.utf8) } }

    package init(words: [[UInt8]]) { self.words = words }

    /// Runs a script of the client.
    ///
    /// - Parameter script: its place among the client's scripts.
    package init(script: Int, keys: [String], arguments: [[UInt8]]) {
        self.script = script
        words = [Array(String(keys.count).utf8)] + keys.map { Array($0.utf8) } + arguments
    }

    /// Hears the reply; `nil` where none came in time, or the connection is away. Called on the client's thread, which it must
    /// not hold up.
    package typealias Completion = @Sendable (RedisReply?) -> Void
}
