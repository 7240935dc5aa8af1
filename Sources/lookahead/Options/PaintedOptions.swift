import ArgumentParser
import Catalog
import Demo
import Gallery
import Terminal

/// Flags of `demo`: how many pictures, and what downloading them is like.
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

    /// For tests, which read the numbers from the pixels.
    @Flag(help: .hidden) var markPictures = false
}
