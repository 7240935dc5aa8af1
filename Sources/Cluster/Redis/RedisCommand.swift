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

    /// How a script is named to the server.
    package enum Script {
        case whole(String)
        case digest([UInt8])
    }

    /// Appends the command as servers read it.
    ///
    /// - Parameter script: put before the words.
    package func write(running script: Script? = nil, to output: inout [UInt8]) {
        Self.write("*", lengths.count + (script == nil ? 0 : 2), to: &output)
        switch script {
        case .whole(let text)?:
            Self.write(Array("EVAL".utf8)[...], to: &output)
            Self.write(Array(text.utf8)[...], to: &output)
        case .digest(let digest)?:
            Self.write(Array("EVALSHA".utf8)[...], to: &output)
            Self.write(digest[...], to: &output)
        case nil: break
        }
        var start = 0
        for length in lengths {
            Self.write(bytes[start..<(start + length)], to: &output)
            start += length
        }
    }

    private static func write(_ word: ArraySlice<UInt8>, to output: inout [UInt8]) {
        write("$", word.count, to: &output)
        output += word
        output += [13, 10]
    }

    private static func write(_ kind: Unicode.Scalar, _ count: Int, to output: inout [UInt8]) {
        output.append(UInt8(ascii: kind))
        output += String(count).utf8
        output += [13, 10]
    }

    /// Hears the reply; `nil` where none came in time, or the connection is away. Called on the client's thread, which it must
    /// not hold up.
    package typealias Completion = @Sendable (RedisReply?) -> Void
}
