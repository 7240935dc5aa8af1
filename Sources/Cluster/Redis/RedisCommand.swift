/// A Redis command: a list of words. One buffer has all words, so that no word needs its own allocation.
package struct RedisCommand: Sendable {
    /// All words, without separators.
    private(set) var bytes: [UInt8] = []
    /// Byte count of each word.
    private(set) var lengths: [Int] = []
    /// Index of the script to run, or `nil` for an ordinary command. For a script, the words are the arguments of `EVALSHA`.
    private(set) var script: Int?

    package init(_ words: String...) { for word in words { append(word) } }

    package init(words: [[UInt8]]) { for word in words { append(word) } }

    /// Creates a command that runs a script. Append the script's arguments afterwards.
    ///
    /// - Parameters:
    ///   - script: Index of the script among the client's scripts.
    ///   - room: Bytes to reserve for large arguments.
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

    /// A script in a form that the server accepts.
    package enum Script {
        /// The source, for `EVAL`.
        case whole(String)
        /// The digest, for `EVALSHA`.
        case digest([UInt8])
    }

    /// Appends the command in the wire format (RESP).
    ///
    /// - Parameter script: The script to run. Written before the words.
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

    /// Receives the reply, or `nil` if none arrived in time or the server is unavailable. Called on the client's thread. Must not
    /// block.
    package typealias Completion = @Sendable (RedisReply?) -> Void
}
