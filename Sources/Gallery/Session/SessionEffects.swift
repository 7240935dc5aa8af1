import Media
import MicroHTTP
import TaskPool
import Viewport

/// The effects of a session's changes outside its state. Each member is in the order of the changes. For wants, timers and
/// discards, the latest value replaces earlier ones.
package struct SessionEffects: Effects {
    /// Items and the size of their thumbnails.
    struct Items: Sendable {
        var items: [Int]
        var size: ThumbnailSize
    }

    package struct Wants: Sendable {
        package var list: [Want]
        var size: ThumbnailSize
        var pool: SessionID
        /// Items of the list whose previews were not sent yet. Some previews may be remembered.
        var lackPreview: [Int]
    }

    /// Queued pictures to drop, because a plan neither shows nor wants them.
    struct Discards: Sendable {
        /// Streams with queued events, and the streams' numbers in the ledger.
        var streams: [(stream: EventStream, number: Int)]
        var visible: Range<Int>
        var wanted: [Want]
    }

    /// A call that a timer makes once.
    enum Reminder: Sendable { case plan, layout, pendingPictures }

    enum Step: Sendable {
        case notifyFollowers(SessionEvent)
        case setAudiencePrefetching(AudiencePrefetching)
        case remind(Reminder, milliseconds: Double)
        case resend(EventStream)
        case release(any Layout)
        /// Checks the shape of an item whose picture or preview arrived. The layout may show a wrong shape.
        case checkShape(item: Int, Frame)
        /// Ends the session: sends `bye` to its followers and releases its gallery.
        case close(SessionID?, bye: Event, PictureGallery.Use?)
    }

    /// Failed items that may be retried.
    var forgiven: [Items] = []
    /// Items that are no longer wanted. The bytes of their transfers are wasted.
    var cancelled: [Items] = []
    /// The pool's session whose earlier wants end, met or not.
    var endsWants: SessionID?
    package var wants: Wants?
    var discards: Discards?
    package var outbox = Outbox()
    /// Time at which the model decides again, in milliseconds of the session's clock.
    var wakeTime: Double?
    var steps: [Step] = []

    package init() {}

    package var isEmpty: Bool {
        wants == nil && outbox.isEmpty && wakeTime == nil && steps.isEmpty && cancelled.isEmpty && forgiven.isEmpty
            && endsWants == nil && discards == nil
    }

    /// Ends the session's earlier wants. Wants that were not submitted yet are dropped.
    mutating func endWants(of pool: SessionID) {
        endsWants = pool
        wants = nil
    }
}
