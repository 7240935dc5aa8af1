/// Behaviours of an origin, good or bad, chosen by the first component of the path.
enum OriginRoutes {
    /// Bytes that differ by position, so that a shifted or repeated part shows.
    static func pattern(_ count: Int, from start: Int = 0) -> [UInt8] { Array(table[start..<(start + count)]) }

    private static let table = (0..<4_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }

    static let etag = "\"v1\""

    static let answer: TestOrigin.Answer = { request, connection in
        let number = request.number
        switch request.parts.first {
        case "bytes": connection.reply(body: pattern(number))
        case "status": connection.reply("\(number) Because", body: Array("no".utf8))
        case "chunked":
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: number, by: 1_000) {
                guard connection.chunk(pattern(min(1_000, number - start), from: start)) else { return false }
            }
            connection.send("0\r\n\r\n")
        case "endless":
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.chunk([UInt8](repeating: 7, count: 16_384)) {}
        case "endless-close":
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            while connection.send([UInt8](repeating: 7, count: 16_384)) {}
        case "hang": connection.waitForAbort()
        case "stall":
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            connection.send(pattern(number))
            connection.waitForAbort()
        case "drip":
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while !connection.hasGone(within: 10), connection.send([1]) {}
        case "until-close":
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            connection.send(pattern(number))
            return false
        case "truncated":
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(number)\r\n\r\n")
            connection.send(pattern(number / 2))
            return false
        case "truncated-chunks":
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.chunk(pattern(number))
            return false
        case "reset":
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(number)\r\n\r\n")
            connection.send(pattern(number / 2))
            connection.resetOnClose()
            return false
        case "slam": return false
        case "garbage":
            connection.send("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
            return false
        case "headers":
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-More: \(String(repeating: "x", count: 1_000))\r\n") {}
        case "etag":
            if request.headers["if-none-match"] == etag {
                connection.send("HTTP/1.1 304 Not Modified\r\nETag: \(etag)\r\n\r\n")
            } else {
                connection.reply("200 OK", ["ETag: \(etag)", "Cache-Control: no-cache"], body: pattern(number))
            }
        case "loop": connection.reply("302 Found", ["Location: /loop"])
        case "hops":
            if number == 0 {
                connection.reply(body: Array("here".utf8))
            } else {
                connection.reply("301 Moved Permanently", ["Location: ../hops/\(number - 1)"])
            }
        default: connection.reply("404 Not Found")
        }
        return true
    }

    /// A resumable body of `size` bytes. A request for the whole body stalls after `stallAt` bytes, a range is sent at
    /// once. Calls `etag` for each request, so that the body can change between two.
    static func resumable(
        size: Int, stallAt: Int, etag: @escaping @Sendable () -> String = { OriginRoutes.etag }
    ) -> TestOrigin.Answer {
        { request, connection in
            let etag = etag()
            let common = "ETag: \(etag)\r\nAccept-Ranges: bytes\r\n"
            let range = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
            if let start = range, request.headers["if-range"] == etag {
                connection.send(
                    "HTTP/1.1 206 Partial Content\r\n\(common)Content-Length: \(size - start)\r\n"
                        + "Content-Range: bytes \(start)-\(size - 1)/\(size)\r\n\r\n")
                connection.send(pattern(size - start, from: start))
            } else {
                connection.send("HTTP/1.1 200 OK\r\n\(common)Content-Length: \(size)\r\n\r\n")
                connection.send(pattern(stallAt))
                if range == nil {
                    connection.waitForAbort()
                } else {
                    connection.send(pattern(size - stallAt, from: stallAt))
                }
            }
            return true
        }
    }

    /// A body of `size` bytes that supports ranges. A request for the whole body stalls after `stallAt` bytes. Calls
    /// `etag` for each request, so that the body can change between two.
    static func parts(
        size: Int, stallAt: Int? = nil, etag: @escaping @Sendable () -> String = { OriginRoutes.etag }
    ) -> TestOrigin.Answer {
        { request, connection in
            let etag = etag()
            let common = ["ETag: \(etag)", "Accept-Ranges: bytes"]
            let isSame = request.headers["if-range"].map { $0 == etag } ?? true
            let ends = request.headers["range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
            if isSame, let ends, let start = ends.first {
                let end = min(ends.count > 1 ? ends[1] + 1 : size, size)
                return connection.reply(
                    "206 Partial Content", common + ["Content-Range: bytes \(start)-\(end - 1)/\(size)"],
                    body: pattern(end - start, from: start))
            }
            guard let stallAt, ends == nil else { return connection.reply("200 OK", common, body: pattern(size)) }
            let head = ["HTTP/1.1 200 OK", "Content-Length: \(size)"] + common + ["", ""]
            connection.send(head.joined(separator: "\r\n"))
            connection.send(pattern(stallAt))
            connection.waitForAbort()
            return false
        }
    }

    /// 100,000 zeros, compressed with gzip -9.
    static let gzipOfZeros: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2,
        0xa0, 0xf5, 0x4f, 0x6d, 0x0d, 0x0f, 0xa0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x57, 0x03, 0x7d, 0x95,
        0x11, 0xd4, 0xa0, 0x86, 0x01, 0x00,
    ]
}
