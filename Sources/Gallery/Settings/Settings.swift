import Catalog
import Cluster
import Fetch
import Logging
import Media
import Store
import TaskPool
import Thumbnails

/// Every setting of the server. ``Setting/groups`` describes the settings with their units and bounds.
public struct Settings: Sendable {
    public static let standard = Settings(publicDirectory: "", renderCommand: [])

    public var host = "127.0.0.1"
    public var port: UInt16 = 8080
    /// The token for full access. If `nil`, everyone who reaches the server has full access.
    public var token: AccessToken?
    /// The token for looking and scrolling only. Needs ``token``.
    public var viewToken: AccessToken?
    public var allowedHosts: [String] = []
    public var trustedProxies: [String] = []
    /// Origins whose pages may embed galleries.
    public var embedOrigins: [String] = []

    public var maxConnections = 4096
    public var maxSessions = 10_000
    public var maxUpdates = 200
    public var sessionGrace = 60.0
    public var requestTimeout = 10.0
    public var readerTimeout = 10.0
    public var maxBody = 1 << 20
    public var maxUpload = 1 << 30
    /// Maximum time until a request gets its response, by default 60 s. After that, the response is 504. Operators cannot set
    /// it: a picture that is not fetched and rendered within this time is not worth the wait.
    public var responseDeadline = Duration.seconds(60)

    /// Redis servers through which thumbnails are shared. Empty shares nothing.
    public var redis: [String] = []
    /// This node's name among several servers. `nil` if there is only one.
    public var node: String?
    /// Time limits for Redis. Operators cannot set them.
    package var redisTimes = RedisTimes()

    public var maxGalleries = 256
    public var maxItems = Self.maximumItems
    package static let maximumItems = 10_000_000

    public var allowedAddresses: [String] = []
    public var allowedOrigins: [String] = []
    public var maxDownloads = 32
    public var maxDownloadsPerHost = 16
    public var maxBytes = 128 << 20
    public var maxPixels = 256_000_000
    public var renderWorkers = 2
    public var requiresSandbox = false
    public var smallTier = 64
    /// The S3 service of buckets. `nil` for Amazon S3.
    public var bucketEndpoint: String?
    /// Folder where thumbnails are stored. `nil` keeps them in memory only.
    public var cacheDirectory: String?
    public var memoryCache = 256 << 20
    public var diskCache = 2 << 30
    public var logLevel = Logger.Level.warning

    /// Limits and lifetimes of the memory about pictures, such as failures.
    public var memory = PictureMemorySettings()
    /// Time limits of downloads. The settings above set the download policy and the number of downloads.
    public var network = FetchConfiguration()
    /// Limits of the task pool and its treatment of failing hosts. The settings above set the number of simultaneous downloads
    /// and renders.
    public var pool = TaskPoolLimits()
    /// Limits of rendering one picture, in addition to `maxBytes` and `maxPixels`.
    public var pictures = RenderLimits()
    /// Options for writing thumbnails. The settings above set the folder and the size of the store.
    public var store = StoreConfiguration()
    /// Options for reading folders. `maxItems` limits them too.
    public var folders = FolderOptions()
    /// Limits for reading lists. `maxItems` limits them too.
    public var lists = ListLimits()

    public var publicDirectory: String
    /// Command that runs a render worker: the executable and its arguments.
    public var renderCommand: [String]

    public init(publicDirectory: String, renderCommand: [String]) {
        self.publicDirectory = publicDirectory
        self.renderCommand = renderCommand
    }
}
