import Viewport

// What the pipeline knows and the model decides by: what is under way, and what pictures are shaped like.
extension Session {
    /// Tells the model how far the downloads of what it wants are, so that it does not let go of what is nearly there.
    func noteProgress(_ state: inout SessionState) {
        for (item, progress) in thumbnails.transfers.progress(of: content.serial, at: state.size) {
            state.core.note(progress, of: item)
        }
    }

    /// How long pictures' shapes are gathered before pages are told of them.
    private static let pause = Duration.milliseconds(500)

    /// A picture has come. Where nobody knew its shape, the layout shows it in a wrong one: the pages are told, once for
    /// all pictures of half a second, and ask for the layout anew when nothing moves.
    func noteShape(of item: Int, _ state: inout SessionState) {
        guard !state.announcesLayout, state.options.needsAspectRatios,
            content.isMisshapen(item, in: state.core.model.layout.frame(of: item))
        else { return }
        state.announcesLayout = true
        thumbnails.timers.call(after: Self.pause) { [weak self] in
            self?.state.withLock { state in
                state.announcesLayout = false
                guard !state.isClosed else { return }
                self?.broadcast(.layout(contentHeight: state.core.plan.contentHeight), &state)
            }
        }
    }
}
