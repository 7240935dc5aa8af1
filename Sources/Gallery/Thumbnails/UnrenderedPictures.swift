import Synchronization

/// Pictures that came whole and are not rendered yet, by the thumbnail they are for. One that nobody wants any more when
/// its turn to be rendered comes stays a while: a person who scrolls back causes no second download.
///
/// Bounded in bytes; the one that came first goes first.
final class UnrenderedPictures: Sendable {
    private struct State {
        var pictures: [String: (bytes: PictureBytes, number: Int)] = [:]
        /// In the order in which they came; those that are gone are passed over.
        var order: [(key: String, number: Int)] = []
        var bytes = 0
        var last = 0
        var taken = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: bytes of all of them; 0 keeps none.
    init(limit: Int) { self.limit = max(0, limit) }

    var bytes: Int { state.withLock { $0.bytes } }

    /// How often one was there.
    var taken: Int { state.withLock { $0.taken } }

    func picture(for key: String) -> PictureBytes? {
        state.withLock { state in
            guard let picture = state.pictures[key] else { return nil }
            state.taken += 1
            return picture.bytes
        }
    }

    /// Keeps a picture until it is rendered.
    func keep(_ picture: PictureBytes, for key: String) {
        let count = picture.bytes.count
        guard count <= limit else { return }
        state.withLock { state in
            remove(key, &state)
            state.last += 1
            state.pictures[key] = (picture, state.last)
            state.order.append((key, state.last))
            state.bytes += count
            var gone = 0
            while state.bytes > limit {
                if isKept(state.order[gone], state) { remove(state.order[gone].key, &state) }
                gone += 1
            }
            state.order.removeFirst(gone)
            if state.order.count > 2 * state.pictures.count + 64 {
                let pictures = state.pictures
                state.order.removeAll { pictures[$0.key]?.number != $0.number }
            }
        }
    }

    func remove(_ key: String) { state.withLock { remove(key, &$0) } }

    private func remove(_ key: String, _ state: inout State) {
        if let gone = state.pictures.removeValue(forKey: key) { state.bytes -= gone.bytes.bytes.count }
    }

    private func isKept(_ entry: (key: String, number: Int), _ state: State) -> Bool {
        state.pictures[entry.key]?.number == entry.number
    }
}
