import TaskPool

/// What runs at once, and for whom.
public enum PoolSettings {
    private static let standard = TaskPoolLimits()

    public static let storeReads = Setting(
        "max-store-reads", "Thumbnails read from the store at once", unit: "reads", default: standard.store, in: 1...64)
    public static let prefetchReserve = Setting(
        "download-reserve", "Downloads, of all, that prefetching leaves to visible pictures", unit: "downloads",
        default: standard.fetchReserve, in: 0...256)
    public static let prefetchReservePerHost = Setting(
        "download-reserve-per-host", "The same, of one host", unit: "downloads", default: standard.fetchReservePerHost,
        in: 0...256)
    public static let firstDownloads = Setting(
        "first-downloads-per-host", "Downloads at once from a host not known yet", unit: "downloads",
        default: standard.hosts.limit.initial, in: 1...256)
    public static let leastDownloads = Setting(
        "least-downloads-per-host", "Downloads at once from a host that slows down or refuses", unit: "downloads",
        default: standard.hosts.limit.least, in: 1...256)
    public static let raisePatience = Setting(
        "raise-patience", "Rounds before more downloads are tried again after they brought nothing", unit: "rounds",
        default: standard.hosts.limit.patience, in: 0...10_000)
    public static let wantsPerSession = Setting(
        "max-wants", "Pictures one session may want at once", unit: "pictures", default: standard.wantsPerSession,
        in: 1...100_000)
    public static let carriedBytes = Setting(
        "max-carried", "Pictures fetched and not yet rendered; visible ones may go a quarter over it", unit: "bytes",
        default: standard.carriedBytes, in: (1 << 20)...(64 << 30))
    public static let hostsRemembered = Setting(
        "max-hosts", "Hosts whose behaviour is remembered", unit: "hosts", default: standard.hostsRemembered,
        in: 1...65_000)
}
