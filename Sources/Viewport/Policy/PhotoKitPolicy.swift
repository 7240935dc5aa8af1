extension PolicyName {
    /// See `PhotoKitPolicy`.
    public static let photoKit = PhotoKitPolicy.name
}

/// Wants the items that Apple's sample of a photos app requests from its `PHCachingImageManager`. Most apps that show a photo
/// library do the same.
///
/// The window ("preheat rect") covers half a screen on either side, in the order of the content. The window moves only if the
/// middle of the viewport has moved by more than a third of its height. Items then outside the window are cancelled.
package struct PhotoKitPolicy: Policy {
    package static let name = PolicyName("photo-kit")
    package static let summary =
        "Half a screen on either side, updated every third of a screen; cancels what leaves the window."

    /// Distance on either side, in screens.
    static let reach = 0.5
    /// Distance that the viewport moves before the window follows, in screens.
    static let step = 1.0 / 3

    /// Position of the viewport when the window last moved.
    private var band: Range<Double>?

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        let now = view.band
        let height = view.viewport.height
        let last = band ?? now
        let moved = abs(now.lowerBound + now.upperBound - last.lowerBound - last.upperBound) / 2
        let window = moved > Self.step * height ? now : last
        band = window
        let reach = Self.reach * height
        wants.add(view.layout.items(in: (window.lowerBound - reach)..<(window.upperBound + reach)))
    }
}
