import Cluster
import Media

extension ThumbnailBackend {
    /// Returns the thumbnails shared with other nodes, or `nil` if no Redis server is set.
    ///
    /// - Throws: ``SettingError`` if a setting cannot be used.
    package static func shared(
        _ settings: Settings, report: @escaping @Sendable (String) -> Void
    ) throws(SettingError) -> SharedThumbnails? {
        guard !settings.redis.isEmpty else { return nil }
        guard let node = settings.node else {
            throw SettingError("--redis needs --node NAME, a different name for each server")
        }
        var addresses: [RedisAddress] = []
        for text in settings.redis {
            // The error does not repeat the text, because the text may contain a password.
            guard let address = RedisAddress(text) else {
                throw SettingError("--redis must be redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]")
            }
            addresses.append(address)
        }
        guard Set(addresses.map(\.description)).count == addresses.count else {
            throw SettingError("--redis names a server twice")
        }
        do throws(RedisClient.Refusal) {
            return try SharedThumbnails(
                addresses, node: node, agreement: agreement(settings), redis: settings.redisTimes, report: report)
        } catch {
            throw SettingError("--redis: no threads or file descriptors left")
        }
    }

    /// Returns, as a text, all settings that decide whether a node shows or refuses a picture. Nodes with different texts share
    /// nothing.
    private static func agreement(_ settings: Settings) -> String {
        let limits = settings.pictures
        let pixels = [
            settings.maxPixels, limits.maxSide, limits.maxRAWBytes, settings.maxBytes, settings.smallTier,
            settings.memory.earlyStopSaving, settings.folders.followsLinks ? 1 : 0,
        ]
        let networks =
            settings.allowedAddresses.sorted() + ["|"] + settings.allowedOrigins.sorted()
            + settings.network.originHeaders.map { "|\($0)" }.sorted()
        return (pixels.map(String.init) + networks).joined(separator: " ")
    }
}
