import Glibc
import Terminal

/// One client's connection to 127.0.0.1, on a loop. Subclasses say what becomes of what comes.
open class LoadSocket {
    fileprivate(set) var descriptor: Int32
    var id: UInt64 = 0
    unowned let loop: LoadLoop
    private var waiting: [UInt8] = []
    private var isConnected = false
    var isOpen: Bool { descriptor >= 0 }

    /// - Parameter receiveBuffer: bytes the kernel may hold unread; `nil` for its own measure.
    init(_ loop: LoadLoop, port: UInt16, receiveBuffer: Int32? = nil) throws {
        self.loop = loop
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else {
            throw CommandFailure("no socket: \(String(cString: strerror(errno))); raise ulimit -n")
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 || errno == EINPROGRESS else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            descriptor = -1
            throw CommandFailure("cannot connect to port \(port): \(reason)")
        }
        isConnected = code == 0
        loop.add(self)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Received bytes; valid only during the call.
    open func received(_ bytes: UnsafeRawBufferPointer) {}
    /// The peer closed the connection, or broke it.
    open func ended() {}

    func send(_ bytes: [UInt8]) {
        guard isOpen else { return }
        if isConnected, waiting.isEmpty {
            let count = bytes.withUnsafeBytes { write($0) }
            if count < bytes.count { waiting.append(contentsOf: bytes[count...]) }
        } else {
            waiting.append(contentsOf: bytes)
        }
    }

    /// Closes at once, as a page does that goes.
    func leave() {
        guard isOpen else { return }
        loop.remove(self)
        Glibc.close(descriptor)
        descriptor = -1
    }

    func flush() {
        isConnected = true
        guard isOpen, !waiting.isEmpty else { return }
        let count = waiting.withUnsafeBytes { write($0) }
        waiting.removeFirst(count)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) {
        while isOpen {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                // Less than there was room for is all there was; an edge tells of more.
                if count < buffer.count, !isHungUp() { return }
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return
            } else {
                leave()
                ended()
            }
        }
    }

    /// Whether the peer's end waits behind what was read: its edge came with the data, and comes once.
    private func isHungUp() -> Bool {
        guard isOpen else { return true }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        return count >= 0 || (errno != EAGAIN && errno != EINTR)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        return max(0, count)
    }
}
