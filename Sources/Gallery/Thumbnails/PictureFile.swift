import Glibc
import Pipeline

/// Reads a picture from a folder; what it finds there is as little trusted as what comes from the network.
enum PictureFile {
    /// - Parameter path: absolute, in `root`.
    /// - Throws: ``ItemFailure`` where the file is no regular file, is gone, unreadable, outside or larger than `maxBytes`.
    static func read(_ path: String, in root: FolderRoot, maxBytes: Int) throws(ItemFailure) -> [UInt8] {
        let descriptor = try open(path, in: root)
        defer { close(descriptor) }
        return try read(descriptor, from: 0, count: size(of: descriptor, maxBytes: maxBytes))
    }

    /// Opens a file to be sent, and reads it through, so that the thread that sends it does not wait for the disk.
    ///
    /// - Throws: as ``read(_:in:maxBytes:)``.
    static func open(_ path: String, in root: FolderRoot, maxBytes: Int) throws(ItemFailure) -> OpenFile {
        let descriptor = try open(path, in: root)
        do throws(ItemFailure) {
            let size = try Self.size(of: descriptor, maxBytes: maxBytes)
            let beginning = try read(descriptor, from: 0, count: min(size, OpenFile.beginningLength))
            for offset in stride(from: 0, to: size, by: pieceLength) {
                _ = try read(descriptor, from: offset, count: min(pieceLength, size - offset))
            }
            return OpenFile(descriptor, size: size, beginning: beginning)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static let pieceLength = 1 << 18

    private static func size(of descriptor: Int32, maxBytes: Int) throws(ItemFailure) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ItemFailure(reason: "not a file", retryable: false) }
        guard status.st_size <= maxBytes else {
            throw ItemFailure(
                reason: "the file has \(status.st_size) bytes, more than the limit of \(maxBytes)", retryable: false)
        }
        return Int(status.st_size)
    }

    /// Fewer bytes where the file ends before; its offset stays where it is.
    private static func read(_ descriptor: Int32, from offset: Int, count: Int) throws(ItemFailure) -> [UInt8] {
        var filled = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
            while filled < buffer.count {
                guard let base = buffer.baseAddress else { break }
                let got = pread(descriptor, base + filled, buffer.count - filled, off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                if got <= 0 {
                    if got < 0 { code = errno }
                    break
                }
                filled += got
            }
            count = filled
        }
        guard code == 0 else { throw failure(code) }
        return bytes
    }

    private static func open(_ path: String, in root: FolderRoot) throws(ItemFailure) -> Int32 {
        do throws(FolderRoot.Failure) {
            // A pipe in the folder must not block the reader: without waiting for a writer, then only regular files.
            return try root.open(root.relative(path), flags: O_RDONLY | O_NONBLOCK)
        } catch {
            switch error {
            case .leadsOutside:
                throw ItemFailure(
                    reason: "the link leads out of the folder, which only --follow-links allows", retryable: false)
            case .system(let code): throw failure(code)
            }
        }
    }

    private static func failure(_ code: Int32) -> ItemFailure {
        let text = String(cString: strerror(code))
        return ItemFailure(
            reason: "cannot read the file: \(text)", retryable: code == EMFILE || code == ENFILE || code == EIO)
    }
}
