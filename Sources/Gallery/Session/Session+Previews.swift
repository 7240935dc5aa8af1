import MicroHTTP
import Viewport

// Previews: a cell shows the one in its picture's file until the thumbnail is made. Otherwise nothing changes: the item is
// still wanted, and still counts as blank.
extension Session {
    /// Previews that are remembered and sent with one list of wants, at most.
    private static let mostKnown = 128

    func previewed(_ key: ThumbnailKey, _ preview: FinishedThumbnail, _ state: inout SessionState) {
        guard !state.isClosed, key.size == state.size, let item = content.item(ofOriginal: key.item) else { return }
        show(preview.numbered(item), &state)
    }

    /// Sends the previews that were read before, for this session or another: the pool reads none twice for those who come
    /// late.
    func showKnownPreviews(of wanted: [Want], _ state: inout SessionState) {
        var lacking: [Int] = []
        for want in wanted where lacking.count < Self.mostKnown && state.core.lacksPreview(want.item) {
            lacking.append(want.item)
        }
        for preview in thumbnails.previews(of: lacking, in: content, at: state.size) { show(preview, &state) }
    }

    /// Sends a listener what it has not heard of the previews in sight.
    func showPreviews(to listener: Listener, lastHeard: Int, _ state: inout SessionState) {
        let lacking = state.core.unheardPreviews(since: lastHeard)
        for preview in thumbnails.previews(of: lacking, in: content, at: state.size) {
            listener.send(.preview(preview), id: state.core.nextEventID(), by: &state.outbox)
        }
    }

    private func show(_ preview: FinishedThumbnail, _ state: inout SessionState) {
        guard let id = state.core.previewed(preview.item) else { return }
        send(.preview(preview), id: id, &state)
        noteShape(of: preview.item, &state)
    }
}
