import Catalog
import Pipeline
import TaskPool

/// Every limit of the server in force. Each has its name, unit, default and bounds in a ``Setting`` beside it.
public struct Settings: Sendable {
    public static let port = Setting(
        "port", "Port to listen on, 0 lets the system pick", unit: "as a TCP port", default: 8080, in: 0...65_535)
    public static let maxConnections = Setting(
        "max-connections", "Connections open at once", unit: "connections", default: 4096, in: 8...100_000)
    public static let maxConnectionsPerAddress = Setting(
        "max-connections-per-address",
        "Connections open at once from one address that is neither this machine nor a trusted proxy, 0 for a quarter of all",
        unit: "connections", default: 0, in: 0...100_000)
    public static let maxStreams = Setting(
        "max-streams", "Event streams open at once", unit: "streams", default: 12_000, in: 1...100_000)
    public static let maxStreamsPerSession = Setting(
        "max-streams-per-session", "Event streams of one session, followers included", unit: "streams", default: 64,
        in: 1...10_000)
    public static let maxSessions = Setting(
        "max-sessions", "Sessions open at once", unit: "sessions", default: 10_000, in: 1...100_000)
    public static let maxGalleries = Setting(
        "max-galleries", "Galleries served at once", unit: "galleries", default: 256, in: 1...10_000)
    public static let maxItems = Setting(
        "max-items", "Items of one gallery", unit: "items", default: 10_000_000, in: 1...10_000_000)
    public static let maxUpdates = Setting(
        "max-updates", "Updates of one session's viewport a second", unit: "updates a second", default: 200,
        in: 1...100_000)
    public static let sessionGrace = Setting(
        "session-grace", "How long a session lives without an event stream", unit: "seconds", default: 60.0,
        in: 1...86_400)
    public static let maxHeader = Setting(
        "max-header", "Size of a request's line and headers", unit: "bytes", default: 32 << 10, in: 1024...65_536)
    public static let requestTimeout = Setting(
        "request-timeout", "How long a request may take to come, longer where its body is long", unit: "seconds",
        default: 10.0, in: 0.1...3600)
    public static let readerTimeout = Setting(
        "reader-timeout", "How long a stream's reader may take nothing of what waits for it", unit: "seconds",
        default: 10.0, in: 0.1...3600)
    public static let maxBody = Setting(
        "max-body", "Size of a JSON body", unit: "bytes", default: 1 << 20, in: 1024...(64 << 20))
    public static let maxUpload = Setting(
        "max-upload", "Size of a list of items sent as NDJSON", unit: "bytes", default: 1 << 30, in: 1024...(16 << 30))
    public static let maxDownloads = Setting(
        "max-downloads", "Pictures downloaded at once", unit: "downloads", default: 32, in: 1...256)
    public static let maxDownloadsPerHost = Setting(
        "max-downloads-per-host", "Pictures downloaded at once from one host, at most", unit: "downloads", default: 16,
        in: 1...256)
    public static let renderWorkers = Setting(
        "render-workers", "Processes that render thumbnails", unit: "processes", default: 2, in: 1...64)
    public static let renderQueue = Setting(
        "render-queue", "Pictures that may wait for them; more fail, and may be asked for again", unit: "pictures",
        default: 256, in: 1...65_536)
    public static let smallTier = Setting(
        "small-tier", "Longer side of the small pictures that a page which is behind gets first, 0 for none",
        unit: "pixels", default: 64, in: 0...256)
    public static let maxBytes = Setting(
        "max-bytes", "Size of one picture's file", unit: "bytes", default: 32 << 20, in: 1024...(1 << 30))
    public static let maxPixels = Setting(
        "max-pixels", "Size of one picture", unit: "pixels", default: 100_000_000, in: 1...1_000_000_000)
    public static let memoryCache = Setting(
        "memory-cache", "Thumbnails kept in memory", unit: "bytes", default: 256 << 20, in: 0...(64 << 30))
    public static let diskCache = Setting(
        "disk-cache", "Thumbnails kept on disk", unit: "bytes", default: 2 << 30, in: 0...(1 << 40))

    public var maxConnections = Self.maxConnections.defaultValue
    public var maxConnectionsPerAddress = Self.maxConnectionsPerAddress.defaultValue
    public var maxStreams = Self.maxStreams.defaultValue
    public var maxStreamsPerSession = Self.maxStreamsPerSession.defaultValue
    public var maxSessions = Self.maxSessions.defaultValue
    public var maxGalleries = Self.maxGalleries.defaultValue
    public var maxItems = Self.maxItems.defaultValue
    public var maxUpdates = Self.maxUpdates.defaultValue
    public var sessionGrace = Self.sessionGrace.defaultValue
    public var maxHeader = Self.maxHeader.defaultValue
    public var requestTimeout = Self.requestTimeout.defaultValue
    public var readerTimeout = Self.readerTimeout.defaultValue
    public var maxBody = Self.maxBody.defaultValue
    public var maxUpload = Self.maxUpload.defaultValue
    public var maxDownloads = Self.maxDownloads.defaultValue
    public var maxDownloadsPerHost = Self.maxDownloadsPerHost.defaultValue
    public var renderWorkers = Self.renderWorkers.defaultValue
    public var renderQueue = Self.renderQueue.defaultValue
    public var smallTier = Self.smallTier.defaultValue
    public var maxBytes = Self.maxBytes.defaultValue
    public var maxPixels = Self.maxPixels.defaultValue
    public var memoryCache = Self.memoryCache.defaultValue
    public var diskCache = Self.diskCache.defaultValue

    /// What becomes of downloads that fail.
    public var fetching = FetchSettings()
    /// How long downloads may take; its policy and what is counted elsewhere here are set from there.
    public var network = FetchConfiguration()
    /// What runs at once; downloads, renders and how hosts that fail are treated are set from elsewhere here.
    public var pool = TaskPoolLimits()
    /// What one picture may cost; `maxBytes` and `maxPixels` bound it too.
    public var pictures = RenderLimits()
    /// How thumbnails are written; where, and how many, is said elsewhere here.
    public var store = StoreConfiguration()
    /// How folders are read; `maxItems` bounds them too.
    public var folders = FolderOptions()
    /// How lists are read; `maxItems` bounds them too.
    public var lists = ListLimits()

    /// How long any request waits for its answer, by default 60 s; then it is answered 504. No flag: within it a picture is
    /// fetched and rendered, or is not worth waiting for.
    public var answerDeadline = Duration.seconds(60)
    /// Address to listen on. Another than loopback shows the gallery to the network.
    public var host = "127.0.0.1"
    /// Port to listen on; 0 lets the system pick.
    public var port = UInt16(8080)
    /// What must be shown to be let in; `nil` lets everyone in who reaches the server.
    public var token: AccessToken?
    /// What lets its holders look and scroll, and change nothing that is another's; only beside ``token``.
    public var viewToken: AccessToken?
    /// Names that the server is known by besides its address, for the Host header.
    public var allowedHosts: [String] = []
    /// Addresses or networks of the proxies whose `X-Forwarded-*` headers are believed.
    public var trustedProxies: [String] = []
    /// Where thumbnails are kept; `nil` keeps them in memory only.
    public var cacheDirectory: String?
    /// The folder of the page.
    public var publicDirectory: String
    /// Networks that may be downloaded from although they are private, as CIDR.
    public var allowedAddresses: [String] = []
    /// Origins, `host:port`, that may be downloaded from although their address is private.
    public var allowedOrigins: [String] = []
    /// Whether the server refuses to start where the processes that render cannot be sandboxed in every way.
    public var requiresSandbox = false
    /// Command that runs a render worker: the executable and its arguments.
    public var renderCommand: [String]

    public init(publicDirectory: String, renderCommand: [String]) {
        self.publicDirectory = publicDirectory
        self.renderCommand = renderCommand
    }
}
