import Viewport

package struct ScrollRequest: Sendable {
    package enum Target: Sendable {
        case item(Int)
        case scrollTop(Double)
    }

    package let target: Target
    var animated: Bool
}

extension ScrollRequest {
    /// `{"item"?,"scrollTop"?,"animated"?}`, with exactly one of `item` and `scrollTop`.
    package init(_ reader: FieldReader, itemCount: Int) throws(Problem) {
        animated = try reader.bool("animated") ?? false
        let item = try reader.integer("item", in: 0...max(0, itemCount - 1))
        switch (item, try reader.number("scrollTop")) {
        case (let item?, nil): target = .item(item)
        case (nil, let scrollTop?): target = .scrollTop(scrollTop)
        case (nil, nil): throw Problem(422, "Give an item or a scrollTop to scroll to.", field: "/item")
        default: throw Problem(422, "Give either item or scrollTop, not both.", field: "/scrollTop")
        }
    }
}

/// The changes of a `PATCH` request for a session. `nil` leaves a field unchanged.
package struct SessionChange: Sendable {
    var options: LayoutOptions?
    var policy: PolicyName?
    var prefetching: Bool?
    var audiencePrefetching: AudiencePrefetching?
    var size = SizeChange()
    var pixelRatio: Double?
    var name: String?
    var viewing: Viewing?

    /// The item that is open in the viewer. `nil` for none.
    struct Viewing: Sendable {
        var item: Int?
    }
}

extension SessionChange {
    /// `{"layout"?,"policy"?,"prefetching"?,"audiencePrefetching"?,"name"?,"viewing"?,"viewport"?}`. `viewing` may be
    /// null.
    package init(_ reader: FieldReader, itemCount: Int) throws(Problem) {
        if let layout = try reader.object("layout") { options = try LayoutOptions(layout) }
        policy = try reader.choice("policy", PolicyName.self)
        prefetching = try reader.bool("prefetching")
        audiencePrefetching = try reader.choice("audiencePrefetching", AudiencePrefetching.self)
        name = try reader.string("name", maxLength: Session.maxNameLength)
        if reader.object["viewing"] != nil {
            viewing = Viewing(item: try reader.integer("viewing", in: 0...max(0, itemCount - 1)))
        }
        if let viewport = try reader.object("viewport") {
            size = try SizeChange(viewport)
            pixelRatio = try viewport.number("pixelRatio", in: SizeChange.pixelRatios)
        }
    }
}

package enum ViewportStart: Sendable, Hashable {
    /// Distance from the top of the content, in CSS pixels.
    case scrollTop(Double)
    /// The position at which a point of an item is `at` CSS pixels below the top of the viewport. `fraction` is the point's
    /// height in the item: 0 is the item's top, 1 its bottom. Converting the anchor into a position needs a layout.
    case anchor(item: Int, fraction: Double, at: Double)

    package func scrollTop(in layout: any Layout) -> Double {
        switch self {
        case .scrollTop(let scrollTop): return scrollTop
        case .anchor(let item, let fraction, let at):
            guard layout.itemCount > 0 else { return 0 }
            let frame = layout.frame(of: min(max(0, item), layout.itemCount - 1))
            return frame.y + fraction * frame.height - at
        }
    }
}
