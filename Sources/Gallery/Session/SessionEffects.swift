import MicroHTTP
import Pictures
import TaskPool
import Viewport

/// Effects of a session's changes outside of its state. Each member is in the order of the changes; of wants,
/// timers and discards the latest replaces those before it.
package struct SessionEffects: Effects {
    /// Items and what their thumbnails are rendered to.
    struct Items: Sendable {
        var items: [Int]
        var size: ThumbnailSize
    }

    /// A list for the pool.
    package struct Wants: Sendable {
        package var list: [Want]
        var size: ThumbnailSize
        var pool: SessionID
        /// Those among them whose preview was not sent yet: some may be remembered.
        var lackPreview: [Int]
    }

    /// Queued pictures to drop that a plan neither shows nor wants.
    struct Discards: Sendable {
        /// Streams that are behind, and their numbers in the ledger.
        var streams: [(stream: EventStream, number: Int)]
        var visible: Range<Int>
        var wanted: [Want]
    }

    /// Called once, by a timer.
    enum Reminder: Sendable { case plan, layout, owedPictures }

    enum Step: Sendable {
        case tellFollowers(SessionEvent)
        case remind(Reminder, milliseconds: Double)
        case resend(EventStream)
        case release(any Layout)
        /// An item's picture or preview has come: the layout may show it in a wrong shape.
        case checkShape(item: Int, Frame)
        /// The session is over: `bye` goes to its followers, and its gallery is used no longer.
        case close(SessionID?, bye: Event, PictureGallery.Use?)
    }

    /// Failures of which another try is allowed.
    var forgiven: [Items] = []
    /// Items that are wanted no longer: the bytes of their transfers are wasted.
    var cancelled: [Items] = []
    /// The session in the pool whose earlier wants end, met or not.
    var endsWants: SessionID?
    package var wants: Wants?
    var discards: Discards?
    package var outbox = Outbox()
    /// When the model is to decide again, in the session's milliseconds.
    var wakeTime: Double?
    var steps: [Step] = []

    package init() {}

    package var isEmpty: Bool {
        wants == nil && outbox.isEmpty && wakeTime == nil && steps.isEmpty && cancelled.isEmpty && forgiven.isEmpty
            && endsWants == nil && discards == nil
    }

    /// The session's earlier wants end. Those that were not handed over yet never are.
    mutating func endWants(of pool: SessionID) {
        endsWants = pool
        wants = nil
    }
}
