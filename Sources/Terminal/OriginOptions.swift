import ArgumentParser
import Catalog
import Demo
import Gallery

package struct LatencyOptions: ParsableArguments {
    package init() {}

    @Option(
        BoundedNumber(
            "latency", "Median time to first byte", unit: "ms", default: 80.0,
            in: DemoOrigin.Conditions.latencyBounds))
    package var latency: Double

    @Option(
        BoundedNumber(
            "jitter", "Spread of the latency: sigma of a log-normal factor", unit: "", default: 0.35,
            in: DemoOrigin.Conditions.jitterBounds))
    package var jitter: Double
}

/// Options for the network that `demo` simulates and that `replay` uses.
package struct OriginOptions: ParsableArguments {
    package init() {}

    @OptionGroup package var latencyOptions: LatencyOptions

    @Option(
        BoundedNumber(
            "bandwidth", "Bandwidth of the origin, shared by all downloads", unit: "Mbit/s", default: 25.0,
            in: DemoOrigin.Conditions.bandwidthBounds))
    package var bandwidth: Double

    package var latency: Double { latencyOptions.latency }
    package var jitter: Double { latencyOptions.jitter }
}
