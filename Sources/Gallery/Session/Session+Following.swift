import JSON
import MicroHTTP
import Viewport

// Followers watch a session without control: they see where its viewport is, and never learn the session's id.
extension Session {
    /// Bytes of a presenter's name.
    static let maxNameLength = 80

    /// Tells the pages of this session, and those who follow it, of the plan in force: ``EventPace/rate`` times a second
    /// at most, and the last one for certain. The page that posted the update has the plan from its answer.
    func publishPlan(_ state: inout SessionState) {
        guard !followers.isEmpty || state.listeners.contains(where: { $0.hears("plan") }) else { return }
        switch state.planPace.offer(at: now) {
        case .now: sendPlan(&state)
        case .taken: break
        case .later(let wait):
            thumbnails.timers.call(after: .milliseconds(wait)) { [weak self] in self?.sendLatestPlan() }
        }
    }

    func sendLatestPlan(_ state: inout SessionState) {
        state.planPace.send(at: now)
        if !state.isClosed { sendPlan(&state) }
    }

    private func sendPlan(_ state: inout SessionState) {
        let event = SessionEvent.plan(state.core.plan, seq: state.core.seq)
        broadcast(event, &state)
        followers.publish(event)
    }

    /// `{"name","gallery","itemCount","contentHeight","layout","policy","prefetching","viewport","visible","viewing"?,"events","followers"}`
    func followDocument(_ state: SessionState) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.object {
            $0.member("name", state.name)
            writeView(state, to: &$0)
            $0.member("events", "\(APIPath.follow)/\(followID)/events")
            $0.member("followers", followers.count)
        }
        return writer.bytes
    }

    /// The members that the session's document and its followers' share.
    func writeView(_ state: SessionState, to object: inout JSONWriter) {
        let model = state.core.model
        object.member("gallery", gallery.id)
        object.member("itemCount", model.layout.itemCount)
        object.member("contentHeight", model.layout.contentHeight)
        object.member("layout") { state.options.write(to: &$0) }
        object.member("policy", model.policy.rawValue)
        object.member("prefetching", model.prefetching)
        object.member("viewport") {
            $0.object {
                $0.member("width", model.viewport.width)
                $0.member("height", model.viewport.height)
                $0.member("pixelRatio", state.pixelRatio)
                $0.member("scrollTop", model.scrollTop)
            }
        }
        object.member("visible") { model.visible.write(to: &$0) }
        if let viewing = state.viewing { object.member("viewing", viewing) }
    }
}
