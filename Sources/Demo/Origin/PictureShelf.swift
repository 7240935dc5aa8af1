import Synchronization

/// The pictures painted last, bounded in bytes: what is asked for again soon is not painted again.
final class PictureShelf: Sendable {
    private struct State {
        var pictures: [DemoPicture: [UInt8]] = [:]
        var order: [DemoPicture] = []
        var head = 0
        var bytes = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// The picture as JPEG; `nil` when it cannot be encoded.
    func jpeg(_ picture: DemoPicture) -> [UInt8]? {
        if let known = state.withLock({ $0.pictures[picture] }) { return known }
        guard let bytes = picture.jpeg() else { return nil }
        state.withLock { state in
            guard bytes.count <= limit, state.pictures.updateValue(bytes, forKey: picture) == nil else { return }
            state.order.append(picture)
            state.bytes += bytes.count
            while state.bytes > limit, state.head < state.order.count {
                state.bytes -= state.pictures.removeValue(forKey: state.order[state.head])?.count ?? 0
                state.head += 1
            }
            if state.head > 256 {
                state.order.removeFirst(state.head)
                state.head = 0
            }
        }
        return bytes
    }
}
