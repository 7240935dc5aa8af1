import ArgumentParser
import Catalog
import Gallery

/// The network that `demo` pretends to be behind, and that `replay` plays on.
struct OriginOptions: ParsableArguments {
    private static let latency = Setting(
        "latency", "Median time to the first byte", unit: "ms", default: 80.0, in: DemoOrigin.Conditions.latencyBounds)
    private static let jitter = Setting(
        "jitter", "Spread of the latency", unit: "sigma of a log-normal factor", default: 0.35,
        in: DemoOrigin.Conditions.jitterBounds)
    private static let bandwidth = Setting(
        "bandwidth", "Bandwidth of the origin, shared by all downloads", unit: "Mbit/s", default: 25.0,
        in: DemoOrigin.Conditions.bandwidthBounds)

    @Option(latency) private var givenLatency: Double?
    @Option(jitter) private var givenJitter: Double?
    @Option(bandwidth) private var givenBandwidth: Double?

    var latency: Double { givenLatency ?? Self.latency.defaultValue }
    var jitter: Double { givenJitter ?? Self.jitter.defaultValue }
    var bandwidth: Double { givenBandwidth ?? Self.bandwidth.defaultValue }

    func validate() throws {
        try Self.latency.validate(givenLatency)
        try Self.jitter.validate(givenJitter)
        try Self.bandwidth.validate(givenBandwidth)
    }
}

extension Setting {
    /// Refuses a flag that is out of bounds, as the settings of the server are.
    func validate(_ given: Value?) throws(ValidationError) {
        guard let given else { return }
        do { _ = try checked(given) } catch { throw ValidationError("\(error)") }
    }
}
