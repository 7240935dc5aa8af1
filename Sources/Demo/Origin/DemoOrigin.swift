import Glibc
import MicroHTTP
import Synchronization

/// A server of painted pictures behind a network that is slow on purpose: what the demo downloads from.
///
/// Answers `/{width}x{height}?text=food+7` with a JPEG (see ``DemoPicture``) on a port of its own, and with 304 where
/// the client has the picture (`ETag`, `If-None-Match`). `/files/7` is one of the files it was given. Latency, bandwidth and failures can be changed while it runs. Its
/// log holds the outcome of each request.
public final class DemoOrigin: Sendable {
    public struct Configuration: Sendable {
        /// Where it listens; by default on the loopback alone.
        public var address = "127.0.0.1"
        /// 0 lets the system pick, the default.
        public var port: UInt16 = 0
        /// Requests that are over kept in the log, 4,096 by default, at least 1.
        public var logEntries = 4_096
        /// Requests being answered at the same time, 1,024 by default. One more is answered 503.
        public var maxRequests = 1_024
        /// Whether machines can read the pictures' numbers, too, as ``FilmEdge`` paints them; by default not.
        public var marksPictures = false
        /// Files sent as they are: `/files/7` is the eighth, counted round. By default none.
        public var files: [[UInt8]] = []
        /// Whether parts of them are sent where they are asked for; by default they are.
        public var sendsRanges = true
        /// Bytes of painted pictures kept to be sent again, 16 MiB by default.
        public var shelfBytes = 16 << 20

        public init() {}
    }

    private let configuration: Configuration
    private let transfers: OriginTransfers
    private let lanes = OriginLanes()
    private let server = Mutex<(server: Server, port: UInt16)?>(nil)

    public init(_ configuration: Configuration = Configuration(), conditions: Conditions = Conditions()) {
        self.configuration = configuration
        transfers = OriginTransfers(configuration, conditions)
    }

    /// The network it is behind; a change holds for what follows, and for the bandwidth at once.
    public var conditions: Conditions {
        get { transfers.conditions }
        set {
            transfers.conditions = newValue
            for lane in lanes.all { lane.apply(newValue) }
        }
    }

    /// Opens a lane, which lasts until it is closed or the origin stops.
    ///
    /// - Parameters:
    ///   - share: part of the bandwidth; brought into `0.01 ... 1`.
    ///   - overrides: conditions of this lane alone; by default none.
    public func openLane(share: Double, overrides: Conditions.Changes = Conditions.Changes()) -> Lane {
        let lane = Lane(configuration, conditions, share: share, overrides: overrides) { [lanes] in lanes.remove($0) }
        lanes.add(lane)
        return lane
    }

    /// Counts of its work so far.
    public var log: Log { transfers.journal.log }

    /// Begins to answer.
    ///
    /// - Returns: the port it listens on.
    public func start() throws(ServerError) -> UInt16 {
        var settings = ServerConfiguration()
        settings.address = configuration.address
        settings.port = configuration.port
        settings.maxStreams = max(configuration.maxRequests, 1)
        settings.reservedDescriptors = 64
        var router = Router()
        let isMarked = configuration.marksPictures
        router.on(.get, "/files/{number}") { [configuration, transfers] request in
            guard let file = OriginFile(request, configuration) else {
                return .now(Response(status: 404, text: "There is no such file.\n"))
            }
            let target = request.rawTarget
            return .stream(.bytes { stream in transfers.begin(.file(file), target: target, on: stream) })
        }
        router.on(.get, "/{size}") { [transfers] request in
            Self.answer(request, through: transfers, isMarked: isMarked)
        }
        router.on(.get, "/{lane}/{size}") { [lanes] request in
            Self.answer(request, through: lanes[request.parameter("lane") ?? ""]?.transfers, isMarked: isMarked)
        }
        let server = Server(router, configuration: settings)
        let port = try server.start()
        self.server.withLock { $0 = (server, port) }
        return port
    }

    /// Where it answers, `http://127.0.0.1:8081`; `nil` before it began.
    public var url: String? {
        let host = configuration.address.contains(":") ? "[\(configuration.address)]" : configuration.address
        return server.withLock { $0 }.map { "http://\(host):\($0.port)" }
    }

    /// Breaks off what is being answered, and stops.
    public func stop() async {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        for lane in lanes.all { lane.close() }
        transfers.abortAll()
        await running?.server.shutdown(grace: .milliseconds(500))
    }

    private static func answer(_ request: Request, through transfers: OriginTransfers?, isMarked: Bool) -> Reply {
        guard let transfers, let picture = picture(request, isMarked: isMarked) else {
            return .now(Response(status: 404, text: "There is no such picture. Try /600x400?text=food+7.\n"))
        }
        if request.method == .head {
            return .now(Response(headers: [("Content-Type", "image/jpeg"), ("ETag", picture.tag)]))
        }
        let target = request.rawTarget
        let isKnown = request.header("if-none-match")?.contains(picture.tag) ?? false
        return .stream(
            .bytes { stream in
                transfers.begin(.picture(picture, isKnown: isKnown), target: target, on: stream)
            })
    }

    /// The picture that a request names: its size from the path, its text from the query.
    private static func picture(_ request: Request, isMarked: Bool) -> DemoPicture? {
        let size = (request.parameter("size") ?? "").split(separator: "x", omittingEmptySubsequences: false)
        guard size.count == 2, let width = side(size[0]), let height = side(size[1]) else { return nil }
        return DemoPicture(width: width, height: height, text: request.query("text") ?? "", isMarked: isMarked)
    }

    private static func side(_ text: Substring) -> Int? {
        text.utf8.count <= 4 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }
}
