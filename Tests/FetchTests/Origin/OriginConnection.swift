import Glibc

struct OriginRequest: Sendable {
    let method: String
    let path: String
    /// Names in lower case.
    let headers: [String: String]

    /// Components of the path: "/bytes/100" is ["bytes", "100"].
    var parts: [String] { path.split(separator: "/").map(String.init) }
    var number: Int { parts.count > 1 ? Int(parts[1]) ?? 0 : 0 }
}

/// One connection, served by its own thread.
final class OriginConnection {
    let socket: Int32
    private let origin: TestOrigin
    private var buffer: [UInt8] = []
    /// Whether the client closed the connection before the response was complete.
    private(set) var isBroken = false

    init(socket: Int32, origin: TestOrigin) {
        self.socket = socket
        self.origin = origin
    }

    /// Blocks until a whole request head has arrived. Returns `nil` if the client has closed.
    func readRequest() -> OriginRequest? {
        while true {
            if let end = headEnd() {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 4)
                return parse(head)
            }
            var chunk = [UInt8](repeating: 0, count: 4_096)
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }

    /// Returns `false` if the client has closed.
    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count, !isBroken {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.send(socket, raw.baseAddress! + sent, raw.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { isBroken = true } else { sent += count }
        }
        let total = sent
        origin.count { $0.bytes += total }
        return !isBroken
    }

    @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends the head and the body of an ordinary response.
    @discardableResult func reply(
        _ status: String = "200 OK", _ headers: [String] = [], body: [UInt8] = []
    ) -> Bool {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers + ["", ""]
        return send(Array(lines.joined(separator: "\r\n").utf8) + body)
    }

    @discardableResult func chunk(_ bytes: [UInt8]) -> Bool {
        send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    /// Blocks until the client closes, for at most a minute. The response is never completed.
    func waitForAbort() { _ = hasGone(within: 60_000) }

    /// Whether the client closes within `milliseconds`. A waiting client sends nothing.
    func hasGone(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, milliseconds) > 0 { isBroken = true }
        return isBroken
    }

    /// Makes the next close a reset (RST).
    func resetOnClose() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    private func headEnd() -> Int? {
        guard buffer.count >= 4 else { return nil }
        return (0...(buffer.count - 4)).first { buffer[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }

    private func parse(_ head: String) -> OriginRequest {
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].drop { $0 == " " }.description
        }
        return OriginRequest(
            method: words.first.map(String.init) ?? "", path: words.count > 1 ? String(words[1]) : "", headers: headers)
    }
}
