import Pipeline

/// How long downloads may take, and what they keep.
public enum NetworkSettings {
    private static let standard = FetchConfiguration()

    public static let connectTimeout = Setting(
        "connect-timeout", "Time to find, reach and greet a host", unit: "ms", default: standard.connectTimeout,
        in: 1...600_000)
    public static let idleTimeout = Setting(
        "idle-timeout", "Time without a byte", unit: "ms", default: standard.idleTimeout, in: 1...600_000)
    public static let totalTimeout = Setting(
        "download-timeout", "Time for a download, redirects included", unit: "ms", default: standard.totalTimeout,
        in: 1...3_600_000)
    public static let redirectLimit = Setting(
        "max-redirects", "Redirects followed", unit: "redirects", default: standard.redirectLimit, in: 0...50)
    public static let headerLimit = Setting(
        "max-header-bytes", "Size of an answer's headers, all redirects together", unit: "bytes",
        default: standard.headerLimit, in: 1024...(16 << 20))
    public static let idleConnections = Setting(
        "idle-connections", "Connections kept open for reuse", unit: "connections", default: standard.idleConnections,
        in: 1...10_000)
    public static let partialBytes = Setting(
        "resume-memory", "Beginnings of downloads cut off late, kept to be resumed", unit: "bytes",
        default: standard.partialBytes, in: 0...(16 << 30))
    public static let partialMinimum = Setting(
        "resume-minimum", "Least beginning worth keeping", unit: "bytes", default: standard.partialMinimum,
        in: 1...(1 << 30))
}
