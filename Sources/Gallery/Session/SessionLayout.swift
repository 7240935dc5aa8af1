import Pictures
import Viewport

/// A requested layout, with the changes that come into force with it.
struct PendingLayout: Sendable {
    /// Tells a request from those before it.
    var number: Int
    var options: LayoutOptions
    var viewport: Size
    var pixelRatio: Double
}

/// How a session is laid out, and how it is to be. A change that needs a layout that is not there is requested and comes into
/// force when it is; until then the session goes on with the layout it has. A newer request takes in what the one before
/// it asked for.
struct SessionLayout: Sendable {
    private(set) var options: LayoutOptions
    private(set) var pixelRatio: Double
    /// The size that thumbnails are rendered to.
    private(set) var size: ThumbnailSize
    /// The layout to come, while it is being made.
    private(set) var pending: PendingLayout?
    /// Layouts requested so far.
    private var requests = 0
    /// Calls that wait for a layout.
    private var waiting = 0

    init(_ options: LayoutOptions, width: Double, pixelRatio: Double) {
        self.options = options
        self.pixelRatio = pixelRatio
        size = ThumbnailSize(cells: options, layoutWidth: width, pixelRatio: pixelRatio)
    }

    /// The options it has, or is about to have.
    var requestedOptions: LayoutOptions { pending?.options ?? options }

    /// - Parameter viewport: the one in force.
    func requestedViewport(_ viewport: Size) -> Size { pending?.viewport ?? viewport }

    /// The pending layout is for another height: it stays as it is.
    mutating func setHeight(_ height: Double) { pending?.viewport.height = height }

    /// Requests a layout.
    ///
    /// - Parameter current: the viewport in force.
    /// - Returns: the request where the layout in force will do, to be applied with it.
    mutating func request(
        _ options: LayoutOptions?, viewport: Size?, pixelRatio: Double?, in current: Size
    ) -> PendingLayout? {
        requests += 1
        let request = PendingLayout(
            number: requests, options: options ?? requestedOptions, viewport: viewport ?? requestedViewport(current),
            pixelRatio: pixelRatio ?? pending?.pixelRatio ?? self.pixelRatio)
        // Of another height, or for another screen, it stays as it is, unless it was asked for anew: shapes may have been
        // learned.
        if options == nil, request.viewport.width == current.width, request.options == self.options { return request }
        pending = request
        return nil
    }

    /// The request as it stands now; `nil` where a newer one has replaced it.
    func current(_ request: PendingLayout) -> PendingLayout? {
        pending.flatMap { $0.number == request.number ? $0 : nil }
    }

    /// A requested layout comes into force.
    ///
    /// - Returns: whether thumbnails have another size now.
    mutating func apply(_ request: PendingLayout) -> Bool {
        let old = size
        pending = nil
        options = request.options
        pixelRatio = request.pixelRatio
        size = ThumbnailSize(cells: options, layoutWidth: request.viewport.width, pixelRatio: pixelRatio)
        return size != old
    }

    /// - Returns: whether a layout is on its way, for which the caller waits.
    mutating func beginWaiting() -> Bool {
        if pending != nil { waiting += 1 }
        return pending != nil
    }

    /// A layout that nobody waits for is requested no longer.
    mutating func endWaiting() {
        waiting -= 1
        if waiting == 0 { pending = nil }
    }

    mutating func close() { pending = nil }
}
