import CHiredis

/// Hands commands to hiredis, which copies them. Its buffers serve the next command, too.
struct CommandWriter {
    /// How a script is named to the server.
    enum Script {
        case whole(String)
        case digest([UInt8])
    }

    private var bytes: [UInt8] = []
    private var lengths: [Int] = []
    private static let evaluate = Array("EVAL".utf8)
    private static let run = Array("EVALSHA".utf8)

    /// - Returns: whether it will be sent.
    mutating func put(
        _ command: RedisCommand, running script: Script? = nil, tag: UInt64, on connection: OpaquePointer
    ) -> Bool {
        guard let script else { return Self.put(command.bytes, command.lengths, tag: tag, on: connection) }
        bytes.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        switch script {
        case .whole(let text):
            append(Self.evaluate)
            append(Array(text.utf8))
        case .digest(let digest):
            append(Self.run)
            append(digest)
        }
        bytes += command.bytes
        lengths += command.lengths
        return Self.put(bytes, lengths, tag: tag, on: connection)
    }

    private mutating func append(_ word: [UInt8]) {
        bytes += word
        lengths.append(word.count)
    }

    private static func put(_ bytes: [UInt8], _ lengths: [Int], tag: UInt64, on connection: OpaquePointer) -> Bool {
        bytes.withUnsafeBytes { bytes in
            // An empty buffer has no address; a command never is one.
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
            return chiredis_send(connection, Int32(lengths.count), start, lengths, tag)
        }
    }
}
