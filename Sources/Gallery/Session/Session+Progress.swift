import JSON
import Viewport

// How far each picture is, ten times a second, for the dashboard of a page that asks for it.
extension Session {
    static let progressInterval = Duration.milliseconds(100)
    /// Items flown past that are named, at most.
    private static let maxSkipped = 500

    /// Sends a report where it differs from the last one.
    ///
    /// - Returns: the report; `nil` where there is no listener any more.
    func progressReport(unless last: [UInt8], _ state: inout SessionState) -> [UInt8]? {
        guard !state.isClosed, state.listeners.contains(where: { $0.hears("progress") }) else {
            state.reportsProgress = false
            return nil
        }
        let document = progressDocument(state)
        if document != last {
            broadcast(SessionEvent(name: "progress", data: document, key: .progress, isDroppable: true), &state)
        }
        return document
    }

    /// `{"loading":[{"item","share"}],"queued":[item…],"skipped":[item…]}`
    private func progressDocument(_ state: SessionState) -> [UInt8] {
        var queued: [Int] = []
        var loading: [(item: Int, share: Double)] = []
        var wanted: Set<Int> = []
        for want in state.core.plan.wanted {
            wanted.insert(want.item)
            if let share = thumbnails.transfers.progress(of: key(want.item, state)) {
                loading.append((want.item, share))
            } else {
                queued.append(want.item)
            }
        }
        var writer = JSONWriter(capacity: 1024)
        writer.object {
            $0.member("loading") {
                $0.array {
                    for (item, share) in loading {
                        $0.object {
                            $0.member("item", item)
                            $0.member("share", (share * 100).rounded() / 100)
                        }
                    }
                }
            }
            $0.member("queued") { $0.array { for item in queued { $0.value(item) } } }
            $0.member("skipped") { $0.array { for item in skipped(state, wanted) { $0.value(item) } } }
        }
        return writer.bytes
    }

    /// Items between here and the landing that are missing and skipped on purpose: they will fly past.
    private func skipped(_ state: SessionState, _ wanted: Set<Int>) -> [Int] {
        let plan = state.core.plan
        guard abs(plan.velocity) > 1 else { return [] }
        let model = state.core.model
        let low = min(plan.scrollTop, plan.landing.scrollTop)
        let high = max(plan.scrollTop, plan.landing.scrollTop) + model.viewport.height
        // The nearest ones, where the way is long.
        let way = model.layout.items(in: low..<high)
        let near = plan.velocity > 0 ? way.prefix(4 * Self.maxSkipped) : way.suffix(4 * Self.maxSkipped)
        return Array(near.lazy.filter { !wanted.contains($0) && !state.core.isSettled($0) }.prefix(Self.maxSkipped))
    }
}
