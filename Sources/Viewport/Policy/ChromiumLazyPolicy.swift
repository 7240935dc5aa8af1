extension PolicyName {
    /// See `ChromiumLazyPolicy`.
    public static let chromiumLazy = ChromiumLazyPolicy.name
}

/// `<img loading="lazy">` in Chromium on a 4G connection.
///
/// Loads items within 1,250 px of the viewport on either side (`lazyLoadingImageMarginPx` in Chromium's settings.json5). Each
/// image is observed once and loads in the order in which it was seen. No request is ever cancelled.
package struct ChromiumLazyPolicy: Policy {
    package static let name = PolicyName("chromium-lazy")
    package static let summary = "1,250 px on either side, from top to bottom, never cancelled, as loading=lazy does."

    /// In CSS pixels, on either side.
    static let margin = 1250.0

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        wants.add(view.asked.lazy.map(\.item))
        let band = view.band
        wants.add(view.layout.items(in: (band.lowerBound - Self.margin)..<(band.upperBound + Self.margin)))
    }
}
