import MicroHTTP
import Pipeline
import TaskPool
import Threads
import Trace
import Viewport

/// The state that a session's lock guards.
package struct SessionState: Posting {
    var core: SessionCore
    var options: LayoutOptions
    var pixelRatio: Double
    /// What thumbnails of this session are rendered to.
    var size: ThumbnailSize
    var poolID: SessionID?
    /// Keeps the gallery, until the session is closed.
    var use: PictureGallery.Use?
    var listeners: [Listener] = []
    var outbox = Outbox()
    var isClosed = false
    /// The page's clock less the session's, milliseconds, as of the last update.
    var clockOffset = 0.0
    /// When the last stream went, or the session began.
    var aloneSince: ContinuousClock.Instant?
    var timer: TimerThread.ID?
    var timerDue = Double.infinity
    /// When its streams hear of the next plan.
    var planPace = EventPace()
    /// The layout it is to have, while that is being made.
    var wish: LayoutWish?
    /// Wishes so far.
    var wishes = 0
    /// Requests that wait for a layout.
    var settling = 0
    /// Whether pages are about to be told that pictures have shapes that the layout does not reckon with.
    var announcesLayout = false
    /// Whether the facts of what is visible are about to be asked for before others.
    var prefersFacts = false
    /// Whether what listeners are owed is looked at again in a moment.
    var paysLater = false
    /// Whether progress reports are under way.
    var reportsProgress = false
    /// Bytes of the transfers that were under way when this session let go of them.
    var cancelledBytes = 0
    /// The last two minutes of scrolling, at 60 samples a second.
    var recorder = TraceRecorder(capacity: 7200)
    /// Whose viewport it is, as followers see it; empty for nobody in particular.
    var name: String
    /// The item that is open in the viewer, as far as the page tells.
    var viewing: Int?

    init(
        core: SessionCore, use: PictureGallery.Use, options: LayoutOptions, pixelRatio: Double, size: ThumbnailSize,
        name: String
    ) {
        self.core = core
        self.use = use
        self.options = options
        self.pixelRatio = pixelRatio
        self.size = size
        self.name = name
    }
}

extension SessionState {
    /// The viewport and the layout that it has, or is about to have.
    var viewport: Size { wish?.viewport ?? core.model.viewport }
    var wishedOptions: LayoutOptions { wish?.options ?? options }

    /// Where among the listeners a stream is; `nil` once it has ended.
    func index(of stream: EventStream) -> Int? { listeners.firstIndex { $0.stream === stream } }
}

/// The changes of a `PATCH` of a session; `nil` leaves a field as it is.
struct SessionChange: Sendable {
    var options: LayoutOptions?
    var policy: PolicyName?
    var prefetching: Bool?
    var size = SizeChange()
    var pixelRatio: Double?
    var name: String?
    var viewing: Viewing?

    /// What the viewer is to show: an item, or nothing.
    struct Viewing: Sendable {
        var item: Int?
    }
}

/// A viewport's size as a client gives it, CSS pixels; `nil` leaves it as it is.
struct SizeChange: Sendable {
    var width: Double?
    var height: Double?

    /// - Returns: `nil` where nothing was said.
    func applied(to size: Size) -> Size? {
        guard width != nil || height != nil else { return nil }
        return Size(width: width ?? size.width, height: height ?? size.height)
    }
}
