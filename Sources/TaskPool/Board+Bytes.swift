// Counts the bytes that tasks hold between fetch and render.
extension Board {
    /// What may be fetched now. Nothing is held for ever, so that this never stays closed.
    func mayFetch(isVisible: Bool) -> Bool {
        counts.carriedBytes < (isVisible ? carriedLimit.visible : carriedLimit.prefetch)
    }

    /// A fetch starts: it counts as large as the latest were.
    mutating func expect(_ slot: Int32) { hold(Int(meanBytes), slot) }

    /// Counts bytes that have come and wait to be rendered.
    mutating func take(_ bytes: Int, _ slot: Int32, fetched: Bool) {
        if fetched { meanBytes += (Double(bytes) - meanBytes) / 8 }
        hold(bytes, slot)
    }

    mutating func hold(_ bytes: Int, _ slot: Int32) {
        counts.carriedBytes += bytes - tasks[Int(slot)].bytes
        tasks[Int(slot)].bytes = bytes
    }
}
