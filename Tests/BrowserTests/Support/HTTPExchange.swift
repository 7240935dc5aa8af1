import Dispatch
import Glibc
import JSON

/// One HTTP/1.1 request and its answer over a socket of its own; enough to speak to a driver and to a server on loopback.
enum HTTPExchange {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Where blocking calls wait, away from the threads of Swift concurrency.
    static let queue = DispatchQueue(label: "HTTPExchange", attributes: .concurrent)

    /// - Parameter patience: seconds the other side may stay silent.
    static func send(_ method: String, port: UInt16, path: String, body: JSON? = nil, patience: Int = 90) async throws
        -> (
            status: Int, body: [UInt8]
        )
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result { try perform(method, port: port, path: path, body: body, patience: patience) })
            }
        }
    }

    private static func perform(_ method: String, port: UInt16, path: String, body: JSON?, patience: Int) throws -> (
        status: Int, body: [UInt8]
    ) {
        var content: [UInt8] = []
        if let body {
            var writer = JSONWriter()
            writer.value(body)
            content = writer.bytes
        }
        let socket = try connect(port, patience: patience)
        defer { close(socket) }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        if body != nil { head += "Content-Type: application/json\r\nContent-Length: \(content.count)\r\n" }
        try write(Array((head + "\r\n").utf8) + content, to: socket)
        let answer = try read(from: socket)
        guard let gap = answer.firstRange(of: Array("\r\n\r\n".utf8)),
            let status = Int(String(decoding: answer.prefix(12).suffix(3), as: UTF8.self))
        else { throw Failure(description: "\(method) \(path): no answer") }
        return (status, Array(answer[gap.upperBound...]))
    }

    private static func connect(_ port: UInt16, patience: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(descriptor)
            throw Failure(description: "nothing listens on port \(port)")
        }
        return descriptor
    }

    private static func write(_ bytes: [UInt8], to socket: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "the connection broke") }
            sent += count
        }
    }

    private static func read(from socket: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count >= 0 else { throw Failure(description: "no answer in time") }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            if let length = contentLength(bytes), bytes.count >= length { return Array(bytes[..<length]) }
        }
    }

    /// Where the answer ends, once its head is complete and names a length.
    private static func contentLength(_ bytes: [UInt8]) -> Int? {
        guard let gap = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        for line in String(decoding: bytes[..<gap.lowerBound], as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "content-length",
                let length = Int(parts[1].drop { $0 == " " })
            {
                return gap.upperBound + length
            }
        }
        return nil
    }
}
