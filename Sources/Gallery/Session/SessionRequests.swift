import Viewport

/// A viewport as a client posts it.
package struct PostedViewport: Sendable {
    /// Without its viewport.
    var update: SessionCore.Update
    var size: SizeChange
}

/// The answer to a posted viewport.
package enum PostedAnswer: Sendable {
    /// The plan in force after it.
    case plan([UInt8])
    /// The update has to wait for a layout.
    case waits(SessionCore.Update)
}

/// Where a client wants the viewport.
package struct ScrollRequest: Sendable {
    package enum Target: Sendable {
        case item(Int)
        case scrollTop(Double)
    }

    package let target: Target
    var animated: Bool
}

/// The changes of a `PATCH` of a session; `nil` leaves a field as it is.
package struct SessionChange: Sendable {
    var options: LayoutOptions?
    var policy: PolicyName?
    var prefetching: Bool?
    var size = SizeChange()
    var pixelRatio: Double?
    var name: String?
    var viewing: Viewing?

    /// The item that the viewer is to show; `nil` for none.
    struct Viewing: Sendable {
        var item: Int?
    }
}

/// A viewport's size as a client gives it, CSS pixels; `nil` leaves it as it is.
package struct SizeChange: Sendable {
    var width: Double?
    var height: Double?

    /// - Returns: `nil` where nothing was said.
    func applied(to size: Size) -> Size? {
        guard width != nil || height != nil else { return nil }
        return Size(width: width ?? size.width, height: height ?? size.height)
    }
}

/// Where a viewport opens.
package enum ViewportStart: Sendable, Hashable {
    /// CSS pixels from the top of the content.
    case scrollTop(Double)
    /// Where the part `fraction` of an item's height (0 is its top, 1 its bottom) stands `at` CSS pixels below the top
    /// of the viewport: only a layout can turn it into a position.
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
