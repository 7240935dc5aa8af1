import Viewport

// What pictures are shaped like.
extension Session {
    /// How long pictures' shapes are gathered before pages are told of them.
    private static let pause = Duration.milliseconds(500)

    /// A picture has come. Where nobody knew its shape, the layout shows it in a wrong one: the pages are told, once for
    /// all pictures of half a second, and ask for the layout anew when nothing moves.
    func noteShape(of item: Int, _ state: inout SessionState) {
        guard !state.announcesLayout, state.options.needsAspectRatios,
            content.isMisshapen(item, in: state.core.model.layout.frame(of: item))
        else { return }
        state.announcesLayout = true
        thumbnails.timers.call(after: Self.pause) { [weak self] in self?.announceLayout() }
    }

    func announceLayout(_ state: inout SessionState) {
        state.announcesLayout = false
        guard !state.isClosed else { return }
        broadcast(.layout(contentHeight: state.core.plan.contentHeight), &state)
    }
}
