import JSON
import Media
import MicroHTTP
import Thumbnails
import Viewport

/// One server-sent event of a session, before an id is assigned.
package struct SessionEvent: Sendable {
    let name: String
    let data: [UInt8]
    /// Key of the event while queued. A newer event replaces an older one with the same key.
    var key: Key?
    /// Whether the event may be dropped for a reader that is behind.
    var isDroppable = false

    enum Key: Equatable {
        case thumbnail(Int)
        case plan, stats, progress, followers, audience

        private static let planKey: UInt64 = 1 << 62
        private static let statsKey: UInt64 = 1 << 62 | 1
        private static let progressKey: UInt64 = 1 << 62 | 2
        private static let followersKey: UInt64 = 1 << 62 | 3
        private static let audienceKey: UInt64 = 1 << 62 | 4

        init?(_ rawValue: UInt64) {
            switch rawValue {
            case Self.planKey: self = .plan
            case Self.statsKey: self = .stats
            case Self.progressKey: self = .progress
            case Self.followersKey: self = .followers
            case Self.audienceKey: self = .audience
            case 0..<Self.planKey: self = .thumbnail(Int(rawValue))
            default: return nil
            }
        }

        var rawValue: UInt64 {
            switch self {
            case .thumbnail(let item): UInt64(item)
            case .plan: Self.planKey
            case .stats: Self.statsKey
            case .progress: Self.progressKey
            case .followers: Self.followersKey
            case .audience: Self.audienceKey
            }
        }
    }

    func framed(id: Int) -> Event {
        Event(name: name, id: String(id), data: data, key: key?.rawValue, isDroppable: isDroppable)
    }

    /// Returns the first event of a stream, with the Session document.
    static func hello(_ document: [UInt8]) -> SessionEvent { SessionEvent(name: "hello", data: document) }

    static func thumbnail(_ finished: FinishedThumbnail, item: Int) -> SessionEvent {
        SessionEvent(name: "thumbnail", data: finished.data, key: .thumbnail(item))
    }

    /// Returns an event with the preview of a picture. The rendered thumbnail follows later.
    static func preview(_ preview: FinishedThumbnail) -> SessionEvent { thumbnail(preview, item: preview.item) }

    /// Returns an event with the small tier of a thumbnail. The full thumbnail follows when the reader has caught up.
    static func smallThumbnail(_ finished: FinishedThumbnail, item: Int) -> SessionEvent {
        SessionEvent(name: "thumbnail", data: finished.smallData, key: .thumbnail(item))
    }

    /// `{"item","reason","retryable","video"?}`. `video` is present for a video without pictures.
    static func failed(_ failure: ItemFailure, item: Int) -> SessionEvent {
        var writer = JSONWriter()
        writer.object {
            $0.member("item", item)
            $0.member("reason", failure.reason)
            $0.member("retryable", failure.retryable)
            if failure == .videoWithoutPicture { $0.member("video", true) }
        }
        return SessionEvent(name: "failed", data: writer.bytes)
    }

    static func plan(_ plan: Plan, seq: Int) -> SessionEvent {
        SessionEvent(name: "plan", data: plan.document(seq: seq), key: .plan, isDroppable: true)
    }

    static func stats(_ document: [UInt8]) -> SessionEvent {
        SessionEvent(name: "stats", data: document, key: .stats, isDroppable: true)
    }

    /// Returns an event with the Gallery document, sent after the gallery's items changed.
    static func gallery(_ document: [UInt8]) -> SessionEvent { SessionEvent(name: "gallery", data: document) }

    /// `{"contentHeight"}` of the layout in force, sent after pictures arrived whose shapes the layout does not use yet.
    static func layout(contentHeight: Double) -> SessionEvent {
        var writer = JSONWriter()
        writer.object { $0.member("contentHeight", contentHeight) }
        return SessionEvent(name: "layout", data: writer.bytes)
    }

    /// `{"scrollTop","item","animated"}`
    static func scroll(scrollTop: Double, item: Int?, animated: Bool) -> SessionEvent {
        var writer = JSONWriter()
        writer.object {
            $0.member("scrollTop", scrollTop)
            if let item { $0.member("item", item) }
            $0.member("animated", animated)
        }
        return SessionEvent(name: "scroll", data: writer.bytes)
    }

    /// `{"count","names"}`: the number of followers and the names they gave. Sent when a follower joins or leaves.
    static func followers(_ names: [String]) -> SessionEvent {
        var writer = JSONWriter()
        writer.object {
            $0.member("count", names.count)
            $0.member("names") { $0.array { for name in names where !name.isEmpty { $0.value(name) } } }
        }
        return SessionEvent(name: "followers", data: writer.bytes, key: .followers)
    }

    /// `{"followers":[{"item","prefetching"}],"halves"?:[{"prefetching","followers","visibleTime","blankTime"}]}`: the
    /// places of followers, in order of joining, and a comparison of both halves.
    static func audience(_ places: [FollowerPlace], _ halves: AudienceHalves?) -> SessionEvent {
        var writer = JSONWriter()
        writer.object {
            $0.member("followers") {
                $0.array {
                    for place in places {
                        $0.object {
                            $0.member("item", place.item)
                            $0.member("prefetching", place.isPrefetching)
                        }
                    }
                }
            }
            guard let halves else { return }
            $0.member("halves") {
                $0.array {
                    for (half, isPrefetching) in zip(halves.all, [true, false]) {
                        $0.object {
                            $0.member("prefetching", isPrefetching)
                            $0.member("followers", half.followers)
                            $0.member("visibleTime", half.visibleTime)
                            $0.member("blankTime", half.blankTime)
                        }
                    }
                }
            }
        }
        return SessionEvent(name: "audience", data: writer.bytes, key: .audience)
    }

    /// `{"reason"}`, before the server closes the stream.
    package static func bye(reason: String) -> Event {
        var writer = JSONWriter()
        writer.object { $0.member("reason", reason) }
        return Event(name: "bye", data: writer.bytes)
    }
}

/// Limits the rate of an event of which only the latest counts.
///
/// Sends an event immediately if the last one is older than the interval. Otherwise sends one event at the next turn, for all
/// changes until then.
package struct EventPace: Sendable {
    /// Maximum number of events per second: half the refresh rate of a screen. Each event replaces all earlier ones.
    package static let rate = 30.0

    package enum Turn: Equatable {
        case now
        /// Send after this many milliseconds, and call ``send(at:)`` then.
        case later(Double)
        /// A turn is already scheduled and will send this event too.
        case taken
    }

    private var next = -Double.infinity
    private var isAwaited = false

    package init() {}

    /// Decides when to send a new event.
    ///
    /// - Parameter now: current time in milliseconds.
    package mutating func offer(at now: Double) -> Turn {
        if isAwaited { return .taken }
        guard now < next else {
            send(at: now)
            return .now
        }
        isAwaited = true
        return .later(next - now)
    }

    package mutating func send(at now: Double) {
        next = now + 1000 / Self.rate
        isAwaited = false
    }
}
