import Viewport

package struct PostedViewport: Sendable {
    /// The update, without its viewport.
    var update: SessionCore.Update
    var size: SizeChange
}

package enum PostedResponse: Sendable {
    case plan([UInt8])
    /// The update has to wait for a layout.
    case waits(SessionCore.Update)
}

package struct ScrollRequest: Sendable {
    package enum Target: Sendable {
        case item(Int)
        case scrollTop(Double)
    }

    package let target: Target
    var animated: Bool
}

/// The changes of a `PATCH` request for a session. `nil` leaves a field unchanged.
package struct SessionChange: Sendable {
    var options: LayoutOptions?
    var policy: PolicyName?
    var prefetching: Bool?
    var size = SizeChange()
    var pixelRatio: Double?
    var name: String?
    var viewing: Viewing?

    /// The item that is open in the viewer. `nil` for none.
    struct Viewing: Sendable {
        var item: Int?
    }
}

/// A change of a viewport's size, in CSS pixels. `nil` leaves a length unchanged.
package struct SizeChange: Sendable {
    var width: Double?
    var height: Double?

    /// Returns the changed size, or `nil` if the client gave neither length.
    func applied(to size: Size) -> Size? {
        guard width != nil || height != nil else { return nil }
        return Size(width: width ?? size.width, height: height ?? size.height)
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
