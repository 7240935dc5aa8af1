extension PolicyName {
    /// See `ImmichPolicy`.
    public static let immich = ImmichPolicy.name
}

/// The timeline of Immich's web client. Items within 500 px on either side are mounted and load from top to bottom. An item
/// that leaves this range is unmounted and its request aborted (web/src/lib/utils/tunables.ts, and the service worker).
package struct ImmichPolicy: Policy {
    package static let name = PolicyName("immich")
    package static let summary = "500 px on either side, from top to bottom, cancelled on leaving."

    /// In CSS pixels, on either side.
    static let margin = 500.0

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        let band = view.band
        wants.add(view.layout.items(in: (band.lowerBound - Self.margin)..<(band.upperBound + Self.margin)))
    }
}
