import CLinux
import Glibc
import Numbers

/// The worker's end of its connection. Blocks, and reads and writes only whole frames.
struct WorkerConnection {
    let socket: Int32

    /// Maximum length of a frame in bytes. The server asks for no more of a file at once than ``WorkerNeed/longest``.
    private static let longest = WorkerNeed.longest + (1 << 20)

    /// Reads the next frame and the open files that were sent with it. The caller closes the files. Returns `nil` at the end of the input,
    /// and for a frame that is too long.
    func readFrame() -> (frame: FrameReader, descriptors: [Int32])? {
        var length = [UInt8](repeating: 0, count: 4)
        var descriptors = [Int32](repeating: -1, count: Int(DescriptorsMaximum))
        var number: Int32 = 0
        // The files arrive with the first byte.
        let got = DescriptorsReceive(socket, &length, length.count, &descriptors, &number)
        descriptors.removeLast(descriptors.count - Int(number))
        guard got > 0, let rest = readBytes(length.count - got) else { return nil }
        var reader = ByteReader(length.prefix(got) + rest)
        guard let count = reader.number(4, bigEndian: false), count <= Self.longest, let frame = readBytes(count) else {
            return nil
        }
        return (FrameReader(frame), descriptors)
    }

    func readBytes(_ count: Int) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                guard let base = buffer.baseAddress else { break }
                let read = Glibc.read(socket, base + initialized, count - initialized)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                initialized += read
            }
            isWhole = initialized == count
        }
        return isWhole ? bytes : nil
    }

    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return true }
            var done = 0
            while done < buffer.count {
                let written = Glibc.write(socket, base + done, buffer.count - done)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                done += written
            }
            return true
        }
    }
}

/// A moment on the monotonic clock.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(_ left: Duration) { end = .now + left }
    init(seconds: Double) { self.init(Duration(clampingSeconds: max(0, min(seconds, 86_400)))) }

    /// Waits until the descriptor is ready or closed. Returns false if the deadline passes first.
    func wait(for events: Int32, on descriptor: Int32) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = poll(&entry, 1, Int32(clamping: milliseconds))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { return true }
        }
    }
}
