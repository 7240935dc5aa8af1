import Catalog
import Cluster
import Fetch
import Logging
import Pictures
import Store
import TaskPool
import Thumbnails

/// Every limit of the server in force. ``Setting/groups`` says what each is, its unit and its bounds.
public struct Settings: Sendable {
    /// The defaults.
    public static let standard = Settings(publicDirectory: "", renderCommand: [])

    public var host = "127.0.0.1"
    public var port: UInt16 = 8080
    /// The token for full access; `nil` gives it to everyone who reaches the server.
    public var token: AccessToken?
    /// The token for looking and scrolling only; needs ``token``.
    public var viewToken: AccessToken?
    public var allowedHosts: [String] = []
    public var trustedProxies: [String] = []
    /// Origins whose pages may show galleries in themselves.
    public var embedOrigins: [String] = []

    public var maxConnections = 4096
    public var maxSessions = 10_000
    public var maxUpdates = 200
    public var sessionGrace = 60.0
    public var requestTimeout = 10.0
    public var readerTimeout = 10.0
    public var maxBody = 1 << 20
    public var maxUpload = 1 << 30
    /// How long any request waits for its answer, by default 60 s; then it is answered 504. Not to be set: within it a
    /// picture is fetched and rendered, or is not worth waiting for.
    public var answerDeadline = Duration.seconds(60)

    /// Redis servers through which thumbnails are shared; empty shares nothing.
    public var redis: [String] = []
    /// This node's name among others; `nil` where there are none.
    public var node: String?
    /// How long it waits for Redis; no setting of people's.
    package var redisTimes = RedisTimes()

    public var maxGalleries = 256
    public var maxItems = Self.mostItems
    /// The most items that a gallery may be allowed.
    package static let mostItems = 10_000_000

    public var allowedAddresses: [String] = []
    public var allowedOrigins: [String] = []
    public var maxDownloads = 32
    public var maxDownloadsPerHost = 16
    public var maxBytes = 128 << 20
    public var maxPixels = 256_000_000
    public var renderWorkers = 2
    public var requiresSandbox = false
    public var smallTier = 64
    /// The service that buckets are at; `nil` for Amazon's.
    public var bucketEndpoint: String?
    /// Where thumbnails are kept; `nil` keeps them in memory only.
    public var cacheDirectory: String?
    public var memoryCache = 256 << 20
    public var diskCache = 2 << 30
    public var logLevel = Logger.Level.warning

    /// How much is remembered of pictures.
    public var memory = PictureMemorySettings()
    /// How long downloads may take; its policy, and how many there are, is set above.
    public var network = FetchConfiguration()
    /// Limits of the task pool, and how it treats failing hosts; downloads and renders at once are set above.
    public var pool = TaskPoolLimits()
    /// Limits of rendering one picture, besides `maxBytes` and `maxPixels`.
    public var pictures = RenderLimits()
    /// How thumbnails are written; where, and how many, is set above.
    public var store = StoreConfiguration()
    /// How folders are read; `maxItems` bounds them too.
    public var folders = FolderOptions()
    /// How lists are read; `maxItems` bounds them too.
    public var lists = ListLimits()

    /// The folder of the page.
    public var publicDirectory: String
    /// Command that runs a render worker: the executable and its arguments.
    public var renderCommand: [String]

    public init(publicDirectory: String, renderCommand: [String]) {
        self.publicDirectory = publicDirectory
        self.renderCommand = renderCommand
    }
}
