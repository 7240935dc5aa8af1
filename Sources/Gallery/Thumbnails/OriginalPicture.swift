import Glibc
import Synchronization

/// A picture's file as it is, to be handed on.
enum OriginalPicture: Sendable {
    /// Of a folder: it is sent from the file, and never held in memory.
    case file(OpenFile)
    /// Of a URL: the memory is given back when it was sent.
    case body([UInt8], ByteBudget.Share)

    /// Its first bytes, as many as tell what kind of picture it is.
    var beginning: [UInt8] {
        switch self {
        case .file(let file): file.beginning
        case .body(let bytes, _): Array(bytes.prefix(OpenFile.beginningLength))
        }
    }
}

/// A regular file that was opened for reading. It is closed with the last reference, unless somebody took it.
final class OpenFile: Sendable {
    static let beginningLength = 512

    /// Bytes.
    let size: Int
    let beginning: [UInt8]
    private let descriptor: Mutex<Int32>

    /// - Parameter descriptor: now owned by this.
    init(_ descriptor: Int32, size: Int, beginning: [UInt8]) {
        self.descriptor = Mutex(descriptor)
        self.size = size
        self.beginning = beginning
    }

    /// The descriptor, the caller's to close; -1 where it was taken before.
    func take() -> Int32 {
        descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }

    deinit {
        let descriptor = take()
        if descriptor >= 0 { close(descriptor) }
    }
}
