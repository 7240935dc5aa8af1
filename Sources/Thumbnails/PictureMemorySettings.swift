/// Limits of the memory of pictures that are missing, broken, known, or arrived after they were no longer wanted.
public struct PictureMemorySettings: Sendable {
    public var maxFailures = 10_000
    /// In seconds, as the next three.
    public var missingLifetime = 600.0
    public var goneLifetime = 86_400.0
    public var brokenLifetime = 3_600.0
    public var revalidateAfter = 86_400.0
    public var unrenderedMemory = 16 << 20
    public var knownItems = 200_000
    /// Least rest of a progressive JPEG, in bytes, whose download is ended once it is good enough.
    public var earlyStopSaving = 64 << 10

    public init() {}
}
