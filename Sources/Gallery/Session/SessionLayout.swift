import Media
import Viewport

/// A requested layout, with the changes that come into force together with it.
struct PendingLayout: Sendable {
    /// Number that distinguishes the request from earlier ones.
    var number: Int
    var options: LayoutOptions
    var viewport: Size
    var pixelRatio: Double
}

/// The layout options of a session, in force and requested. A change that needs a new layout comes into force when the layout
/// is ready. Until then, the session keeps its current layout. A newer request includes the changes of the one before it.
struct SessionLayout: Sendable {
    private(set) var options: LayoutOptions
    private(set) var pixelRatio: Double
    private(set) var size: ThumbnailSize
    /// The requested layout while it is being built.
    private(set) var pending: PendingLayout?
    private var requests = 0
    private var waiting = 0

    init(_ options: LayoutOptions, width: Double, pixelRatio: Double) {
        self.options = options
        self.pixelRatio = pixelRatio
        size = ThumbnailSize(cells: options, layoutWidth: width, pixelRatio: pixelRatio)
    }

    /// The pending options, or the options in force if no layout is pending.
    var requestedOptions: LayoutOptions { pending?.options ?? options }

    /// Returns the pending viewport, or `viewport` if no layout is pending.
    ///
    /// - Parameter viewport: the viewport in force.
    func requestedViewport(_ viewport: Size) -> Size { pending?.viewport ?? viewport }

    /// Changes the viewport height of the pending request. The layout does not depend on the height.
    mutating func setHeight(_ height: Double) { pending?.viewport.height = height }

    /// - Parameter current: the viewport in force.
    /// - Returns: the request if the layout in force fits it, to be applied with that layout. Otherwise `nil`.
    mutating func request(
        _ options: LayoutOptions?, viewport: Size?, pixelRatio: Double?, in current: Size
    ) -> PendingLayout? {
        requests += 1
        let request = PendingLayout(
            number: requests, options: options ?? requestedOptions, viewport: viewport ?? requestedViewport(current),
            pixelRatio: pixelRatio ?? pending?.pixelRatio ?? self.pixelRatio)
        // The layout in force fits another height or pixel ratio, unless options were given. Then the layout is built again,
        // because shapes may have been learned.
        if options == nil, request.viewport.width == current.width, request.options == self.options { return request }
        pending = request
        return nil
    }

    /// Returns the current state of a request, or `nil` if a newer request has replaced it.
    func current(_ request: PendingLayout) -> PendingLayout? {
        pending.flatMap { $0.number == request.number ? $0 : nil }
    }

    /// Puts a requested layout into force.
    ///
    /// - Returns: whether the thumbnail size has changed.
    mutating func apply(_ request: PendingLayout) -> Bool {
        let old = size
        pending = nil
        options = request.options
        pixelRatio = request.pixelRatio
        size = ThumbnailSize(cells: options, layoutWidth: request.viewport.width, pixelRatio: pixelRatio)
        return size != old
    }

    /// Counts the caller as waiting if a layout is pending.
    ///
    /// - Returns: whether a layout is pending.
    mutating func beginWaiting() -> Bool {
        if pending != nil { waiting += 1 }
        return pending != nil
    }

    /// Ends one call's waiting. Drops the pending request if no call waits any longer.
    mutating func endWaiting() {
        waiting -= 1
        if waiting == 0 { pending = nil }
    }

    mutating func close() { pending = nil }
}
