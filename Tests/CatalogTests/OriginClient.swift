import Dispatch
import Glibc

/// A connection to the origin, as plain as can be.
final class OriginClient: Sendable {
    private let socket: Int32

    struct Reply {
        var status: Int
        var header: String
        var body: [UInt8]
        /// Whether the connection ended before the body did.
        var isShort: Bool
    }

    init?(port: UInt16) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status != 0 {
            Glibc.close(socket)
            return nil
        }
    }

    deinit { Glibc.close(socket) }

    func send(_ target: String, method: String = "GET", header: String = "") {
        let text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n"
        _ = Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads the next answer; off the cooperative threads, which it would block.
    func receive() async -> Reply {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in continuation.resume(returning: read()) }
        }
    }

    /// Reads so many bytes at least.
    func receive(atLeast count: Int) async -> Int {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                var total = 0
                while total < count, let piece = piece() { total += piece.count }
                continuation.resume(returning: total)
            }
        }
    }

    func get(_ target: String, header: String = "") async -> Reply {
        send(target, header: header)
        return await receive()
    }

    private func piece(_ limit: Int = 65_536) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(socket, &buffer, limit, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func read() -> Reply {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), let byte = piece(1) { head += byte }
        let header = String(decoding: head, as: UTF8.self)
        let status = header.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var length = 0
        for line in header.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:") {
            length = Int(line.dropFirst(15).filter { $0 != " " }) ?? 0
        }
        var body: [UInt8] = []
        while body.count < length, let more = piece(min(65_536, length - body.count)) { body += more }
        return Reply(status: status, header: header, body: body, isShort: body.count < length)
    }
}
