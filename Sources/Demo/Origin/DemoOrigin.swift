import Fetch
import Glibc
import MicroHTTP
import Synchronization

/// The origin server of the demo. It paints pictures and sends them through a simulated slow network.
///
/// The origin listens on its own port. `/{width}x{height}?text=food+7` returns a JPEG (see ``DemoPicture``), or 304 if the client
/// has the picture (`ETag`, `If-None-Match`). `/files/7` returns one of ``Configuration/files``. Latency, bandwidth and failures can
/// be changed at any time. The log has the outcome of each request.
public final class DemoOrigin: Sendable {
    public struct Configuration: Sendable {
        /// Address to listen on. By default the loopback interface only.
        public var address = "127.0.0.1"
        /// Port to listen on. Default 0: the system picks a free port.
        public var port: UInt16 = 0
        /// Number of finished requests in the log, at least 1. Default 4,096.
        public var logEntries = 4_096
        /// Maximum number of simultaneous requests. Further requests get 503. Default 1,024.
        public var maxRequests = 1_024
        /// Whether ``FilmEdge`` paints the number of each picture so that machines can read it. Default `false`.
        public var marksPictures = false
        /// Files to serve unchanged: `/files/7` is the eighth file. Larger numbers start over at the first file. Default none.
        public var files: [[UInt8]] = []
        /// Whether range requests for files get a partial response. Default `true`.
        public var sendsRanges = true
        /// Maximum bytes of painted pictures in the cache. Default 16 MiB.
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

    /// Conditions of the simulated network. A new bandwidth applies immediately, other changes apply to later requests.
    public var conditions: Conditions {
        get { transfers.conditions }
        set {
            transfers.conditions = newValue
            for lane in lanes.all { lane.apply(newValue) }
        }
    }

    /// Opens a lane, which lasts until ``Lane/close()`` or until the origin stops.
    ///
    /// - Parameters:
    ///   - share: Fraction of the bandwidth, clamped to `0.01 ... 1`.
    ///   - overrides: Conditions for this lane only. Default none.
    public func openLane(share: Double, overrides: Conditions.Changes = Conditions.Changes()) -> Lane {
        let lane = Lane(configuration, conditions, share: share, overrides: overrides) { [lanes] in lanes.remove($0) }
        lanes.add(lane)
        return lane
    }

    /// Counts and recent requests, without those of lanes.
    public var log: Log { transfers.journal.log }

    /// - Returns: The port that the server listens on.
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
            Self.response(request, through: transfers, isMarked: isMarked)
        }
        router.on(.get, "/{lane}/{size}") { [lanes] request in
            Self.response(request, through: lanes[request.parameter("lane") ?? ""]?.transfers, isMarked: isMarked)
        }
        let server = Server(router, configuration: settings)
        let port = try server.start()
        self.server.withLock { $0 = (server, port) }
        return port
    }

    /// URL of the running server, such as `http://127.0.0.1:8081`. `nil` while the server is not running.
    public var url: String? {
        server.withLock { $0 }.map { "http://\(Authority(host: configuration.address, port: $0.port))" }
    }

    /// Aborts all responses and stops the server.
    public func stop() async {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        for lane in lanes.all { lane.close() }
        transfers.abortAll()
        await running?.server.shutdown(grace: .milliseconds(500))
    }

    private static func response(_ request: Request, through transfers: OriginTransfers?, isMarked: Bool) -> Reply {
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

    /// Parses the requested picture: the size from the path, the text from the query. `nil` if there is no such picture.
    private static func picture(_ request: Request, isMarked: Bool) -> DemoPicture? {
        let size = (request.parameter("size") ?? "").split(separator: "x", omittingEmptySubsequences: false)
        guard size.count == 2, let width = side(size[0]), let height = side(size[1]) else { return nil }
        return DemoPicture(width: width, height: height, text: request.query("text") ?? "", isMarked: isMarked)
    }

    private static func side(_ text: Substring) -> Int? {
        text.utf8.count <= 4 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }
}
