import ArgumentParser
import Catalog
import Demo
import Gallery
import Terminal

/// Flags of `demo`: the number of pictures and the conditions of their downloads.
struct PaintedOptions: ParsableArguments {
    @Option(
        BoundedNumber(
            "items", "Pictures in the gallery", unit: "pictures", default: 100_000, in: 1...DemoCatalog.maxItems))
    var items: Int

    @OptionGroup var origin: OriginOptions

    @Option(
        BoundedNumber(
            "failure-rate", "Share of the pictures that fail", unit: "", default: 0.0,
            in: DemoOrigin.Conditions.failureRateBounds))
    var failureRate: Double

    /// Whether pictures carry machine-readable numbers, for tests.
    @Flag(help: .hidden) var markPictures = false
}
