import Dispatch
import Glibc
import Synchronization

/// A slow connection to a server on this machine. Every byte is delayed in both directions.
package final class SlowLine: Sendable {
    package let port: UInt16
    private let listener: Int32
    private let open = Mutex<[Int32]>([])

    package struct Refusal: Error {}

    /// - Parameter milliseconds: round-trip delay.
    package init(to server: UInt16, milliseconds: Double) throws {
        let delay = UInt64(milliseconds / 2 * 1e6)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var address = SocketAddress()
        guard address.bind(listener), listen(listener, 64) == 0 else {
            close(listener)
            throw Refusal()
        }
        port = address.port
        let listener = listener
        DispatchQueue(label: "slow line").async { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                var address = SocketAddress(port: server)
                guard let self, address.connect(other) else {
                    close(client)
                    close(other)
                    continue
                }
                self.open.withLock { $0 += [client, other] }
                var on: Int32 = 1
                for fd in [client, other] { setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4) }
                Self.carry(from: client, to: other, later: delay)
                Self.carry(from: other, to: client, later: delay)
            }
        }
    }

    deinit {
        // Readers see the end of the stream. Descriptors stay open, because a reader thread must not read a reused number.
        shutdown(listener, Int32(SHUT_RDWR))
        for fd in open.withLock({ $0 }) { shutdown(fd, Int32(SHUT_RDWR)) }
    }

    package var url: String { "redis://127.0.0.1:\(port)" }

    private static func carry(from: Int32, to: Int32, later delay: UInt64) {
        let writer = DispatchQueue(label: "slow line, writer")
        DispatchQueue(label: "slow line, reader").async {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(from, &buffer, buffer.count)
                let due = DispatchTime.now() + .nanoseconds(Int(delay))
                let bytes = Array(buffer.prefix(max(0, count)))
                writer.async {
                    let now = DispatchTime.now().uptimeNanoseconds
                    if due.uptimeNanoseconds > now { usleep(UInt32((due.uptimeNanoseconds - now) / 1_000)) }
                    guard count > 0 else {
                        shutdown(to, Int32(SHUT_WR))
                        return
                    }
                    var sent = 0
                    while sent < bytes.count {
                        let part = bytes[sent...].withUnsafeBytes {
                            Glibc.send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                        }
                        if part <= 0 { return }
                        sent += part
                    }
                }
                if count <= 0 { return }
            }
        }
    }
}
