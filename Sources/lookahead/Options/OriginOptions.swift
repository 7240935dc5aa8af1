import ArgumentParser
import Catalog
import Gallery

/// How soon an origin answers.
struct LatencyOptions: ParsableArguments {
    @Option(
        Setting(
            "latency", "Median time to the first byte", unit: "ms", default: 80.0,
            in: DemoOrigin.Conditions.latencyBounds))
    var latency: Double

    @Option(
        Setting(
            "jitter", "Spread of the latency", unit: "sigma of a log-normal factor", default: 0.35,
            in: DemoOrigin.Conditions.jitterBounds))
    var jitter: Double
}

/// The network that `demo` pretends to be behind, and that `replay` plays on.
struct OriginOptions: ParsableArguments {
    @OptionGroup var answering: LatencyOptions

    @Option(
        Setting(
            "bandwidth", "Bandwidth of the origin, shared by all downloads", unit: "Mbit/s", default: 25.0,
            in: DemoOrigin.Conditions.bandwidthBounds))
    var bandwidth: Double

    var latency: Double { answering.latency }
    var jitter: Double { answering.jitter }
}
