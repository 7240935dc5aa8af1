import CMicroHTTPD
import Glibc
import Threads

/// The listening socket, used by the reactor's thread only.
struct ListeningSocket {
    private var descriptor: Int32 = -1
    /// Spare descriptor, closed to accept and refuse a connection when no descriptor is left. A connection left in the backlog would wake
    /// the reactor all the time.
    private var spare: Int32 = -1

    /// How long new connections may wait for room before they are refused.
    var patience: Duration
    private var fullSince: ContinuousClock.Instant?
    /// Whether new connections wait in the backlog, because there is no room.
    private(set) var isFull = false

    init(configuration: ServerConfiguration) { patience = configuration.patience }

    func watch(_ poll: EventPoll, _ id: UInt64) {
        if descriptor >= 0 { poll.watch(descriptor, id, .input) }
    }

    func rest(_ poll: EventPoll) {
        if descriptor >= 0 { poll.unwatch(descriptor) }
    }

    mutating func open(_ fd: Int32) {
        descriptor = fd
        spare = micro_eventfd()
    }

    mutating func close(_ poll: EventPoll) {
        guard descriptor >= 0 else { return }
        poll.unwatch(descriptor)
        Glibc.close(descriptor)
        descriptor = -1
        if spare >= 0 { Glibc.close(spare) }
        spare = -1
    }

    /// Accepts the waiting connections, at most 512. Returns the number of refused ones.
    mutating func accept(_ admission: Admission, _ engine: Engine) -> Int {
        var refused = 0
        isFull = false
        for _ in 0..<512 where descriptor >= 0 {
            if admission.connections < admission.maxConnections {
                fullSince = nil
            } else {
                let now = ContinuousClock.now
                let since = fullSince ?? now
                fullSince = since
                if now - since < patience {
                    isFull = true
                    break
                }
            }
            var address = sockaddr_storage()
            var length = socklen_t()
            let fd = micro_accept(descriptor, &address, &length)
            if fd < 0 {
                if errno == ECONNABORTED || errno == EINTR { continue }
                if errno == EMFILE || errno == ENFILE {
                    refused += 1
                    refuseWithoutDescriptor(engine)
                    continue
                }
                break
            }
            let peer = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Peer($0) }
            }
            switch admission.enter(peer) {
            case .welcome:
                engine.connect(fd, &address, length)
            case .full:
                refused += 1
                Self.refuse(fd, 503, "there are too many connections", engine)
            case .tooManyFromThere:
                refused += 1
                Self.refuse(fd, 429, "there are too many connections from this address", engine)
            }
        }
        return refused
    }

    private static func refuse(_ fd: Int32, _ status: Int, _ detail: String, _ engine: Engine) {
        let response = engine.router.errorResponse(status, detail, nil).adding([("Retry-After", "1")])
            .serialised(for: nil)
        _ = send(fd, response, response.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        shutdown(fd, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 4096)
        _ = recv(fd, &rest, rest.count, Int32(MSG_DONTWAIT))
        Glibc.close(fd)
    }

    private mutating func refuseWithoutDescriptor(_ engine: Engine) {
        if spare >= 0 { Glibc.close(spare) }
        var address = sockaddr_storage()
        var length = socklen_t()
        let fd = micro_accept(descriptor, &address, &length)
        if fd >= 0 { Self.refuse(fd, 503, "there are too many connections", engine) }
        spare = micro_eventfd()
    }
}
