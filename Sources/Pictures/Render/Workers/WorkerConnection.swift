import Glibc
import PhotoFacts

/// The worker's end of its connection: blocking, and nothing but whole frames.
struct WorkerConnection {
    let socket: Int32

    /// The next frame; nil at the end of the input.
    func read() -> [UInt8]? {
        readLength().flatMap(readBytes)
    }

    func readLength() -> Int? {
        guard var reader = readBytes(4).map({ ByteReader($0) }) else { return nil }
        return reader.number(4, bigEndian: false)
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
