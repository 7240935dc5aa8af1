import Glibc
import Pipeline
import TaskPool

extension ThumbnailRunner {
    /// Whether the thumbnail's origin was not heard for so long that it may have another picture by now.
    func isStale(_ thumbnail: Thumbnail) -> Bool {
        guard settings.revalidateAfter > 0, let version = thumbnail.version else { return false }
        let age = Self.unixTime - version.confirmed
        // A clock that was set back makes nothing young.
        return age > settings.revalidateAfter || age < 0
    }

    /// Asks the origin whether the thumbnail still shows its picture. What is there is better than nothing: it is shown
    /// when the origin cannot be heard, but not when it says that the picture is gone.
    func revalidate(
        _ thumbnail: Thumbnail, _ url: String, _ key: ThumbnailKey, _ picture: TaskPicture
    ) async -> StageOutcome<ThumbnailWork> {
        let outcome = await download(url, key, picture, unlessStill: thumbnail)
        switch outcome {
        case .failed: return ready(thumbnail, key, picture)
        case .fetched(let report, .failed) where report.outcome != .gone:
            return .fetched(report, ready(thumbnail, key, picture))
        default: return outcome
        }
    }

    /// Seconds since 1970.
    static var unixTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
