/// Urgency classes, most urgent first. Across all sessions, visible tasks go before all others.
enum Urgency: Sendable, CaseIterable {
    case visible
    /// The rest of a file whose head is already read.
    case visibleRest
    case prefetch
    case prefetchRest

    init(isVisible: Bool, isRest: Bool) {
        self = isVisible ? (isRest ? .visibleRest : .visible) : (isRest ? .prefetchRest : .prefetch)
    }

    var isVisible: Bool { self == .visible || self == .visibleRest }
    var isRest: Bool { self == .visibleRest || self == .prefetchRest }
}

struct ByUrgency<Value: Sendable>: Sendable {
    var visible: Value
    var visibleRest: Value
    var prefetch: Value
    var prefetchRest: Value

    init(_ value: Value) {
        visible = value
        visibleRest = value
        prefetch = value
        prefetchRest = value
    }

    subscript(urgency: Urgency) -> Value {
        get {
            switch urgency {
            case .visible: visible
            case .visibleRest: visibleRest
            case .prefetch: prefetch
            case .prefetchRest: prefetchRest
            }
        }
        _modify {
            switch urgency {
            case .visible: yield &visible
            case .visibleRest: yield &visibleRest
            case .prefetch: yield &prefetch
            case .prefetchRest: yield &prefetchRest
            }
        }
    }
}
