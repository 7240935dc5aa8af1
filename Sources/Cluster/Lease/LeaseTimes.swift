/// How long things last, in milliseconds.
public struct LeaseTimes: Sendable, Equatable {
    /// A lease that is not renewed; its node renews it each second. Default 3,000: a shorter one is lost in the pauses of a
    /// busy node.
    public var lease = 3_000.0
    /// How long a want waits for other nodes in all; then this one does the work by itself. Default 5,000.
    public var patience = 5_000.0
    /// Added to what is left of another node's lease, so that those that wait do not ask all at once. Default 20 to 100.
    public var stagger = 20.0...100.0

    public init() {}
}
