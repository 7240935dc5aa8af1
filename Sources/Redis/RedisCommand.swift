/// A command, as its words: one buffer, so that to make and to send one costs no allocation for each word.
package struct RedisCommand: Sendable {
    /// The words, one after the other.
    private(set) var bytes: [UInt8] = []
    private(set) var lengths: [Int] = []
    /// The place of a script among those of the client, for `EVALSHA`; its name is then put before the words.
    private(set) var script: Int?

    package init(_ words: String...) { for word in words { append(word) } }

    package init(words: [[UInt8]]) { for word in words { append(word) } }

    /// Runs a script of the client. Arguments are appended.
    ///
    /// - Parameters:
    ///   - script: its place among the client's scripts.
    ///   - room: bytes to make room for.
    package init(script: Int, keys: [String], room: Int = 0) {
        self.script = script
        bytes.reserveCapacity(256 + room)
        lengths.reserveCapacity(keys.count + 8)
        append(keys.count)
        for key in keys { append(key) }
    }

    package init(script: Int, keys: [String], arguments: [[UInt8]]) {
        self.init(script: script, keys: keys, room: arguments.reduce(0) { $0 + $1.count })
        for argument in arguments { append(argument) }
    }

    package mutating func append(_ word: String) {
        let count = bytes.count
        bytes += word.utf8
        lengths.append(bytes.count - count)
    }

    package mutating func append(_ word: [UInt8]) {
        bytes += word
        lengths.append(word.count)
    }

    package mutating func append(_ number: Int) { append(String(number)) }

    /// Hears the reply; `nil` where none came in time, or the connection is away. Called on the client's thread, which it must
    /// not hold up.
    package typealias Completion = @Sendable (RedisReply?) -> Void
}
