import Glibc
import Terminal

/// A client that keeps its connection and has one request under way on it.
final class LoadClient: LoadSocket {
    struct Answer {
        var status: Int
        var body: [UInt8]

        /// The first member of a name that is a number, of a JSON text known to be simple.
        func number(_ name: String) -> Int? {
            let text = String(decoding: body, as: UTF8.self)
            guard let found = text.firstRange(of: "\"\(name)\":") else { return nil }
            return Int(text[found.upperBound...].prefix { $0.isNumber })
        }

        /// The first member of a name that is a string, of such a text.
        func text(_ name: String) -> String? {
            let text = String(decoding: body, as: UTF8.self)
            guard let found = text.firstRange(of: "\"\(name)\":\"") else { return nil }
            return String(text[found.upperBound...].prefix { $0 != "\"" })
        }
    }

    private var buffer: [UInt8] = []
    private var need: (head: Int, status: Int, length: Int)?
    private var onAnswer: ((Answer?) -> Void)?
    var isIdle: Bool { onAnswer == nil && isOpen }

    /// Sends a request, as it is. `onAnswer` is given `nil` where the connection ends before the answer.
    func ask(_ request: [UInt8], _ onAnswer: @escaping (Answer?) -> Void) {
        self.onAnswer = onAnswer
        send(request)
    }

    func ask(_ method: String, _ path: String, _ body: String = "", _ onAnswer: @escaping (Answer?) -> Void) {
        ask(Self.request(method, path, body), onAnswer)
    }

    static func request(_ method: String, _ path: String, _ body: String = "") -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if !body.isEmpty || method == "POST" {
            head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        }
        return Array((head + "\r\n" + body).utf8)
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(contentsOf: bytes)
        if need == nil, let end = endOfHead() {
            let head = String(decoding: buffer[..<end], as: UTF8.self).lowercased()
            let status = Int(head.dropFirst(9).prefix(3)) ?? 0
            let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
            need = (end, status, length ?? 0)
        }
        guard let need, buffer.count >= need.head + need.length else { return }
        let body = Array(buffer[need.head..<(need.head + need.length)])
        buffer.removeFirst(need.head + need.length)
        self.need = nil
        finish(Answer(status: need.status, body: body))
    }

    override func ended() { finish(nil) }

    private func finish(_ answer: Answer?) {
        let callback = onAnswer
        onAnswer = nil
        callback?(answer)
    }

    private func endOfHead() -> Int? {
        buffer.withUnsafeBytes { bytes in
            var at = 0
            while let base = bytes.baseAddress, at + 4 <= bytes.count,
                let found = memchr(base + at, 13, bytes.count - at - 3)
            {
                at = UnsafeRawPointer(found) - base
                if bytes[at + 1] == 10, bytes[at + 2] == 13, bytes[at + 3] == 10 { return at + 4 }
                at += 1
            }
            return nil
        }
    }
}

extension LoadLoop {
    /// Asks once, on a connection of its own, and waits for the answer.
    func ask(_ port: UInt16, _ method: String, _ path: String, _ body: String = "") throws -> LoadClient.Answer {
        let client = try LoadClient(self, port: port)
        var answer: LoadClient.Answer?
        var isDone = false
        client.ask(method, path, body) {
            answer = $0
            isDone = true
        }
        run(seconds: 30) { isDone }
        client.leave()
        guard let answer else { throw CommandFailure("no answer to \(method) \(path)") }
        return answer
    }
}
