import MicroHTTP
import Pipeline
import Viewport

/// A requested layout, with the changes that come into force with it.
struct LayoutWish: Sendable {
    /// Tells a wish from those before it.
    var number: Int
    var options: LayoutOptions
    var viewport: Size
    var pixelRatio: Double
}

// Changes of the layout. Each that needs one that is not there is wished for and comes into force when it is: until then
// the session goes on with the layout it has. A newer wish takes in what the one before it wished for.
extension Session {
    /// Changes what is given, the layout as soon as it is there; the item at the top of the viewport stays there.
    ///
    /// - Throws: 422 where more would be visible than may be.
    func apply(_ change: SessionChange, _ state: inout SessionState) throws(Problem) {
        let viewport = change.size.applied(to: state.viewport)
        if change.options != nil || viewport != nil {
            try Screenful.check(
                change.options ?? state.wishedOptions, in: viewport ?? state.viewport,
                field: change.options != nil ? "/layout" : "/viewport")
        }
        guard !state.isClosed else { return }
        if let name = change.name { state.name = name }
        if let viewing = change.viewing { state.viewing = viewing.item }
        if change.name != nil || change.viewing != nil { followers.publish(.hello(followDocument(state))) }
        if let policy = change.policy { _ = state.core.setPolicy(policy) }
        if let prefetching = change.prefetching { _ = state.core.setPrefetching(prefetching) }
        if change.options != nil || viewport != nil || change.pixelRatio != nil {
            wish(options: change.options, viewport: viewport, pixelRatio: change.pixelRatio, &state)
        }
        planned(&state)
    }

    /// Whether an update has to wait for a layout, by ``settle()``: its viewport has a width for which there is none yet,
    /// and nobody has wished for it before.
    func needsLayout(for update: SessionCore.Update, _ state: inout SessionState) -> Bool {
        guard !state.isClosed, update.seq > state.core.seq, let viewport = update.viewport else { return false }
        if viewport.width == state.viewport.width {
            state.wish?.viewport.height = viewport.height
            return false
        }
        wish(options: nil, viewport: viewport, pixelRatio: nil, &state)
        return beginSettling(&state)
    }

    /// Whether a layout is on its way, to be waited for by ``settle()``.
    func beginSettling(_ state: inout SessionState) -> Bool {
        if state.wish != nil { state.settling += 1 }
        return state.wish != nil
    }

    func endSettling(_ state: inout SessionState) {
        state.settling -= 1
        if state.settling == 0 { state.wish = nil }
    }

    /// The layout of a wish is there.
    func fulfil(_ wish: LayoutWish, with layout: any Layout, _ state: inout SessionState) {
        guard let current = state.wish, current.number == wish.number else { return }
        lay(out: layout, current, &state)
        planned(&state)
    }

    /// Brings a layout into force where it is there, or wishes for it.
    private func wish(options: LayoutOptions?, viewport: Size?, pixelRatio: Double?, _ state: inout SessionState) {
        state.wishes += 1
        let wish = LayoutWish(
            number: state.wishes, options: options ?? state.wish?.options ?? state.options,
            viewport: viewport ?? state.viewport,
            pixelRatio: pixelRatio ?? state.wish?.pixelRatio ?? state.pixelRatio)
        // Of another height, or for another screen, it stays as it is, unless it was asked for anew: shapes may have been
        // learned.
        let isAsWide = wish.viewport.width == state.core.model.viewport.width
        if options == nil, isAsWide, wish.options == state.options {
            lay(out: state.core.model.layout, wish, &state)
        } else if let layout = content.readyLayout(wish.options, width: wish.viewport.width) {
            lay(out: layout, wish, &state)
        } else {
            state.wish = wish
        }
    }

    private func lay(out layout: any Layout, _ wish: LayoutWish, _ state: inout SessionState) {
        state.wish = nil
        state.options = wish.options
        state.pixelRatio = wish.pixelRatio
        let size = ThumbnailSize(
            cells: wish.options, layoutWidth: wish.viewport.width, pixelRatio: wish.pixelRatio)
        if size != state.size {
            state.size = size
            state.core.forgetAll()
            // Wants at the old size end, ready or not.
            if let poolID = state.poolID { thumbnails.pool.end(session: poolID) }
        }
        let old = state.core.model.layout
        _ = state.core.relayout(layout, viewport: wish.viewport)
        content.release(old)
    }
}
