import Media

extension PictureFacts {
    /// Whether place, rating and size are in their ranges, as they must be for any bytes.
    var arePlausible: Bool {
        let isPlaced = location.map { -90...90 ~= $0.latitude && -180...180 ~= $0.longitude } ?? true
        return isPlaced && 0...5 ~= rating ?? 0 && 0...Int(Int32.max) ~= width ?? 0
            && 0...Int(Int32.max) ~= height ?? 0
    }

    /// Returns whether the facts of a file with any bytes are in their ranges, or there are none.
    static func arePlausible(_ bytes: [UInt8]) -> Bool {
        guard let head = FileHead(FilePieces(bytes)) else { return true }
        var sources = FactSources()
        sources.head = head
        return sources.facts(latestYear: 2027) { _ in 0 }.arePlausible
            && (head.preview?.upperBound ?? 0) <= bytes.count && (head.video?.upperBound ?? 0) <= bytes.count
    }
}
