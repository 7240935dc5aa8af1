import Glibc

/// Reads a picture from a folder; what it finds there is as little trusted as what comes from the network.
enum PictureFile {
    /// - Throws: ``ItemFailure`` where the file is no regular file, is gone, unreadable or larger than `maxBytes`.
    static func read(_ path: String, maxBytes: Int) throws(ItemFailure) -> [UInt8] {
        // A pipe in the folder must not block the reader: without waiting for a writer, then only regular files.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ItemFailure(reason: "not a file", retryable: false) }
        guard status.st_size <= maxBytes else {
            throw ItemFailure(
                reason: "the file has \(status.st_size) bytes, more than the limit of \(maxBytes)", retryable: false)
        }
        var filled = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while filled < buffer.count {
                guard let base = buffer.baseAddress else { break }
                let got = Glibc.read(descriptor, base + filled, buffer.count - filled)
                if got < 0, errno == EINTR { continue }
                if got <= 0 {
                    if got < 0 { code = errno }
                    break
                }
                filled += got
            }
            count = filled
        }
        guard code == 0 else { throw failure(path, code) }
        return bytes
    }

    private static func failure(_ path: String, _ code: Int32) -> ItemFailure {
        let text = String(cString: strerror(code))
        return ItemFailure(
            reason: "cannot read the file: \(text)", retryable: code == EMFILE || code == ENFILE || code == EIO)
    }
}
