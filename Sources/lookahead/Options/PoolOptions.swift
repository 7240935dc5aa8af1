import ArgumentParser
import Gallery
import TaskPool

/// Flags: what runs at once, and for whom.
struct PoolOptions: ParsableArguments {
    @Option(PoolSettings.storeReads) var storeReads: Int?
    @Option(PoolSettings.prefetchReserve) var prefetchReserve: Int?
    @Option(PoolSettings.prefetchReservePerHost) var prefetchReservePerHost: Int?
    @Option(PoolSettings.firstDownloads) var firstDownloads: Int?
    @Option(PoolSettings.leastDownloads) var leastDownloads: Int?
    @Option(PoolSettings.raisePatience) var raisePatience: Int?
    @Option(PoolSettings.wantsPerSession) var wantsPerSession: Int?
    @Option(PoolSettings.carriedBytes) var carriedBytes: Int?
    @Option(PoolSettings.hostsRemembered) var hostsRemembered: Int?

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into limits: inout TaskPoolLimits) throws(SettingError) {
        limits.store = try reader.number(storeReads, PoolSettings.storeReads)
        limits.fetchReserve = try reader.number(prefetchReserve, PoolSettings.prefetchReserve)
        limits.fetchReservePerHost = try reader.number(prefetchReservePerHost, PoolSettings.prefetchReservePerHost)
        limits.hosts.limit.initial = try reader.number(firstDownloads, PoolSettings.firstDownloads)
        limits.hosts.limit.least = try reader.number(leastDownloads, PoolSettings.leastDownloads)
        limits.hosts.limit.patience = try reader.number(raisePatience, PoolSettings.raisePatience)
        limits.wantsPerSession = try reader.number(wantsPerSession, PoolSettings.wantsPerSession)
        limits.carriedBytes = try reader.number(carriedBytes, PoolSettings.carriedBytes)
        limits.carriedReserve = limits.carriedBytes / 4
        limits.hostsRemembered = try reader.number(hostsRemembered, PoolSettings.hostsRemembered)
    }
}
