import TaskPool

/// How downloads that fail, and the hosts they come from, are treated.
public struct FetchSettings: Sendable {
    public static let attempts = Setting(
        "fetch-attempts", "Tries of a download, the first included", unit: "tries", default: 3, in: 1...20)
    public static let retryWait = Setting(
        "retry-wait", "Longest wait before the second try; it doubles with each further one", unit: "ms",
        default: 250.0, in: 0...60_000)
    public static let longestRetryWait = Setting(
        "longest-retry-wait", "Longest wait before any try", unit: "ms", default: 10_000.0, in: 0...600_000)
    public static let longestRetryAfter = Setting(
        "longest-retry-after", "Longest Retry-After that is waited for; a download told to wait longer has failed",
        unit: "ms", default: 30_000.0, in: 0...600_000)
    public static let hostFailures = Setting(
        "host-failures", "Failures in a row after which a host is left alone for a while", unit: "failures",
        default: 5, in: 1...1_000)
    public static let hostRest = Setting(
        "host-rest", "How long it is left alone at first; doubles with each probe that fails", unit: "ms",
        default: 2_000.0, in: 0...600_000)
    public static let longestHostRest = Setting(
        "longest-host-rest", "Longest a host is left alone, whatever it asks for", unit: "ms", default: 120_000.0,
        in: 0...3_600_000)
    public static let maxFailures = Setting(
        "max-failures", "Pictures remembered as missing or broken", unit: "pictures", default: 10_000,
        in: 0...1_000_000)
    public static let missingLifetime = Setting(
        "missing-lifetime", "How long a 404 is believed", unit: "seconds", default: 600.0, in: 0...604_800)
    public static let goneLifetime = Setting(
        "gone-lifetime", "How long a 410 is believed", unit: "seconds", default: 86_400.0, in: 0...604_800)
    public static let brokenLifetime = Setting(
        "broken-lifetime", "How long a picture that cannot be decoded is not tried again", unit: "seconds",
        default: 3_600.0, in: 0...604_800)

    public static let revalidateAfter = Setting(
        "revalidate-after", "After how long an origin is asked whether a stored picture is still the same, 0 for never",
        unit: "seconds", default: 86_400.0, in: 0...31_536_000)
    public static let unrenderedMemory = Setting(
        "unrendered-memory", "Pictures that came when nobody wanted them any more, kept for who scrolls back",
        unit: "bytes", default: 16 << 20, in: 0...(16 << 30))
    public static let earlyStopSaving = Setting(
        "early-stop-saving", "Least rest of a progressive JPEG whose download is ended once it is good enough",
        unit: "bytes", default: 64 << 10, in: 0...(1 << 30))
    public static let knownItems = Setting(
        "known-items", "Pictures whose state and placeholder are remembered", unit: "pictures", default: 200_000,
        in: 1...10_000_000)

    public var attempts = Self.attempts.defaultValue
    public var retryWait = Self.retryWait.defaultValue
    public var longestRetryWait = Self.longestRetryWait.defaultValue
    public var longestRetryAfter = Self.longestRetryAfter.defaultValue
    public var hostFailures = Self.hostFailures.defaultValue
    public var hostRest = Self.hostRest.defaultValue
    public var longestHostRest = Self.longestHostRest.defaultValue
    public var maxFailures = Self.maxFailures.defaultValue
    public var missingLifetime = Self.missingLifetime.defaultValue
    public var goneLifetime = Self.goneLifetime.defaultValue
    public var brokenLifetime = Self.brokenLifetime.defaultValue
    public var revalidateAfter = Self.revalidateAfter.defaultValue
    public var unrenderedMemory = Self.unrenderedMemory.defaultValue
    public var earlyStopSaving = Self.earlyStopSaving.defaultValue
    public var knownItems = Self.knownItems.defaultValue

    public init() {}

    /// Sets what the pool does about it.
    func set(_ hosts: inout HostSettings) {
        hosts.retry.attempts = attempts
        hosts.retry.base = retryWait
        hosts.retry.longest = longestRetryWait
        hosts.retry.longestRetryAfter = longestRetryAfter
        hosts.breaker.failures = hostFailures
        hosts.breaker.rest = hostRest
        hosts.breaker.longestRest = longestHostRest
        hosts.longestRest = longestHostRest
    }
}
