/// Detects, while a picture downloads, when enough bytes for its thumbnail have arrived. A progressive JPEG needs only its first scans, an
/// eighth to a quarter of its bytes. The download can stop there.
///
/// Pass the bytes to ``append(_:)`` as they arrive. As soon as ``isEnough`` is true, the bytes so far render with
/// ``RenderOptions/acceptsPartial`` like the whole picture. Every other kind of picture is needed completely.
public struct ProgressiveStop: Sendable {
    private let size: ThumbnailSize
    private let stopAfterScan: Int
    /// Bytes that are not examined yet. Received bytes may end in the middle of a segment.
    private var rest: [UInt8] = []
    private var state = State.header
    private var header: PictureHeader?
    /// Bytes of the header, stored until the frame has been read.
    private var beginning: [UInt8] = []
    private var scans = 0
    /// Zigzag frequencies that have arrived for each component, by its id. `fine` contains the frequencies that lack at most their last
    /// bit.
    private var seen: [UInt8: (coarse: UInt64, fine: UInt64)] = [:]

    private enum State {
        case header
        case segments
        /// Entropy-coded data.
        case scan
        case whole
        case enough
    }

    /// - Parameter size: size of the thumbnail, as it will be requested from the renderer.
    public init(size: ThumbnailSize, limits: RenderLimits = RenderLimits()) {
        self.size = size
        stopAfterScan = limits.progressiveStop
    }

    /// Whether the bytes so far are enough.
    public var isEnough: Bool { state == .enough }

    /// Whether the whole picture is needed. Passing more bytes has no effect.
    public var needsAll: Bool { state == .whole }

    /// Examines the next bytes. Returns true as soon as enough have arrived.
    @discardableResult
    public mutating func append(_ bytes: some Collection<UInt8>) -> Bool {
        switch state {
        case .whole, .enough: return isEnough
        case .header:
            beginning += bytes
            readHeader()
        case .segments, .scan:
            rest += bytes
        }
        if state == .segments || state == .scan { readScans() }
        return isEnough
    }

    private mutating func readHeader() {
        // Fewer bytes are not enough to detect the format.
        guard beginning.count >= 12 else { return }
        do throws(RenderError) {
            let header = try PictureHeader(beginning)
            guard header.kind == .jpeg, header.isProgressive else {
                state = .whole
                beginning = []
                return
            }
            self.header = header
            state = .segments
            rest = Array(beginning.dropFirst(2))
            beginning = []
        } catch {
            // Waits for more bytes only if the header is incomplete.
            if case .truncated = error, beginning.count < 1 << 20 { return }
            state = .whole
            beginning = []
        }
    }

    private mutating func readScans() {
        var place = 0
        defer { rest.removeFirst(place) }
        while true {
            if state == .scan {
                guard let end = endOfScan(from: &place) else { return }
                place = end
                state = .segments
                scans += 1
                if hasEnough {
                    state = .enough
                    return
                }
            }
            var segments = JPEGSegments(rest, from: place)
            let segment = segments.next()
            guard let segment, segment.isWhole else {
                if segment == nil { place = segments.offset }
                if let segment, segment.length < 0 { state = .whole }
                return
            }
            place = segments.offset
            if segment.isEnd {
                state = .whole
                return
            }
            if segment.isScan {
                readScanHeader(rest[segment.data])
                state = .scan
            }
        }
    }

    /// Returns the offset of the marker that ends a scan: an FF that is not followed by 00 (stuffing), FF (fill) or a restart. If there is
    /// none yet, returns `nil` and moves `place` to the last byte.
    private func endOfScan(from place: inout Int) -> Int? {
        while place + 1 < rest.count {
            let next = rest[place + 1]
            if rest[place] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return place }
            place += 1
        }
        return nil
    }

    /// Reads a scan's header (ITU-T T.81, B.2.3): the components, the first and the last frequency, then the bits before and after.
    private mutating func readScanHeader(_ bytes: ArraySlice<UInt8>) {
        guard let count = bytes.first, bytes.count >= 4 + 2 * Int(count) else { return }
        let start = bytes.startIndex
        let first = Int(bytes[start + 1 + 2 * Int(count)]), last = Int(bytes[start + 2 + 2 * Int(count)])
        let isFine = bytes[start + 3 + 2 * Int(count)] & 0xF <= 1
        guard first <= last, last < 64 else { return }
        for component in 0..<Int(count) {
            for frequency in first...last {
                seen[bytes[start + 1 + 2 * component], default: (0, 0)].coarse |= 1 << UInt64(frequency)
                if isFine { seen[bytes[start + 1 + 2 * component]]?.fine |= 1 << UInt64(frequency) }
            }
        }
    }

    /// Whether the decoder would stop here. It needs a number of scans, and for every component the low frequencies that are visible at its
    /// scale, with the visible precision. At full size, it needs everything.
    private var hasEnough: Bool {
        guard let header, scans >= stopAfterScan, seen.count >= header.components else { return false }
        let target = size.size(forPicture: header.uprightWidth, header.uprightHeight)
        let stored = header.orientation.swapsSides ? (width: target.height, height: target.width) : target
        switch JPEGDecoder.denominator(header, stored) {
        case 8: return seen.values.allSatisfy { $0.coarse & 1 == 1 }
        case 4: return seen.values.allSatisfy { $0.coarse & 0b111 == 0b111 }
        case 2: return seen.values.allSatisfy { $0.fine & 0x3FF == 0x3FF }
        default: return false
        }
    }
}
