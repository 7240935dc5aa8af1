import Glibc

/// A blocking client on a raw socket. Every read times out after `seconds`.
package final class TestClient {
    package struct Failure: Error, CustomStringConvertible {
        package let what: String
        package init(what: String) { self.what = what }
        package var description: String { what }
    }

    package struct Answer {
        package var status = 0
        package var version = ""
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8] = []
        package var text: String { String(decoding: body, as: UTF8.self) }
        package func header(_ name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }
    }

    package let fd: Int32
    private var buffer: [UInt8] = []

    /// - Parameter from: the client's own address on this machine.
    package init(_ port: UInt16, seconds: Int = 45, receiveBuffer: Int32? = nil, from own: String? = nil) throws {
        fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer { setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        if let own {
            var address = SocketAddress(own)
            _ = address.bind(fd)
        }
        var server = SocketAddress(port: port)
        if !server.connect(fd) { throw Failure(what: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit { leave() }

    private var isOpen = true
    package func leave() {
        if isOpen { close(fd) }
        isOpen = false
    }

    /// Keeps the client connected until this call. Without it, the optimiser may release the client earlier.
    @inline(never)
    package func stay() { precondition(fd >= 0) }

    /// Resets the connection, as a crashed client does.
    package func crash() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        leave()
    }

    @discardableResult
    package func send(_ bytes: some Collection<UInt8>) -> Bool {
        let all = Array(bytes)
        var done = 0
        while done < all.count {
            let count = all.withUnsafeBytes {
                Glibc.send(fd, $0.baseAddress! + done, all.count - done, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            done += count
        }
        return true
    }

    @discardableResult
    package func send(_ text: String) -> Bool { send(text.utf8) }

    package func get(_ path: String, headers: String = "", method: String = "GET") throws -> Answer {
        send("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
        return try answer(isHead: method == "HEAD")
    }

    package func post(_ path: String, _ body: [UInt8], headers: String = "") throws -> Answer {
        send(
            Array("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8)
                + body)
        return try answer()
    }

    /// Receives more bytes. Returns `false` at the end of the stream. Throws once the test's time is over, so that loops end.
    private func fill() throws -> Bool {
        try Task.checkCancellation()
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(fd, &chunk, chunk.count, 0)
        if count < 0 { throw Failure(what: "recv: \(String(cString: strerror(errno))) after \(buffer.count) bytes") }
        buffer.append(contentsOf: chunk[..<count])
        return count > 0
    }

    /// Reads up to and including `end`.
    package func read(until end: String) throws -> String {
        let wanted = Array(end.utf8)
        var searched = 0
        while true {
            var at = max(0, searched - wanted.count)
            while at + wanted.count <= buffer.count {
                if buffer[at..<at + wanted.count].elementsEqual(wanted) {
                    defer { buffer.removeFirst(at + wanted.count) }
                    return String(decoding: buffer[..<(at + wanted.count)], as: UTF8.self)
                }
                at += 1
            }
            searched = buffer.count
            if try !fill() {
                throw Failure(
                    what: "closed before \(end.debugDescription); got \(String(decoding: buffer, as: UTF8.self))")
            }
        }
    }

    package func read(count: Int) throws -> [UInt8] {
        while buffer.count < count {
            if try !fill() { throw Failure(what: "closed after \(buffer.count) of \(count) bytes") }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    package func readToEnd() throws -> [UInt8] {
        while try fill() {}
        defer { buffer = [] }
        return buffer
    }

    /// Returns whether the server ends the connection, and ignores all bytes before the end.
    package func seesEnd() -> Bool {
        while true {
            var byte = [UInt8](repeating: 0, count: 4096)
            let count = recv(fd, &byte, byte.count, 0)
            if count == 0 { return true }
            if count < 0 { return errno == ECONNRESET }
        }
    }

    package func answer(isHead: Bool = false) throws -> Answer {
        var answer = try head()
        while answer.status == 100 { answer = try head() }
        if isHead || answer.status == 204 || answer.status == 304 { return answer }
        if answer.header("transfer-encoding") == "chunked" {
            while true {
                let size = Int(try read(until: "\r\n").dropLast(1), radix: 16) ?? 0
                answer.body += try read(count: size)
                _ = try read(until: "\r\n")
                if size == 0 { return answer }
            }
        }
        if let length = answer.header("content-length").flatMap({ Int($0) }) {
            answer.body = try read(count: length)
        } else {
            answer.body = try readToEnd()
        }
        return answer
    }

    package func head() throws -> Answer {
        let lines = try read(until: "\r\n\r\n").split(separator: "\r\n")
        let first = lines[0].split(separator: " ")
        var answer = Answer(status: Int(first.count > 1 ? first[1] : "") ?? 0, version: String(first[0]))
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            answer.headers.append(
                (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " })))
        }
        return answer
    }
}

/// Sends one request on its own connection.
package func get(_ port: UInt16, _ path: String, headers: String = "") throws -> TestClient.Answer {
    try TestClient(port).get(path, headers: headers)
}
