import Glibc
import PhotoFacts
import Pictures

/// The files of one folder whose names do not say what they are: each is looked at, 4,096 at most.
struct UnnamedFiles {
    /// Files of one folder that are looked at: some hundredths of a second's work.
    private static let mostLooks = 4_096
    /// Bytes that are read of each: a block of most file systems, in which the directories of nearly all TIFF and RAW files begin.
    private static let length = 4_096

    let root: FolderRoot
    /// The folder's, relative to the root.
    let path: String
    /// The open folder.
    let folder: Int32
    private var looks = 0

    init(root: FolderRoot, path: String, folder: Int32) {
        self.root = root
        self.path = path
        self.folder = folder
    }

    /// Whether the name of a file leaves open what it is: one without an ending, or with one of several meanings.
    static func mayBePicture(_ name: UnsafeBufferPointer<UInt8>, _ type: PictureName.Extension?) -> Bool {
        type?.isAmbiguous ?? !name.contains(UInt8(ascii: "."))
    }

    /// Whether a file begins as a picture of a kind that is shown. Never waits for the other end of a pipe.
    ///
    /// - Parameter isLink: whether it is a link, which is followed as far as the root allows.
    /// - Returns: `nil` where so many were looked at that it is not.
    mutating func isPicture(_ name: UnsafeBufferPointer<UInt8>, isLink: Bool) -> Bool? {
        guard looks < Self.mostLooks else { return nil }
        looks += 1
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file: Int32
        if isLink {
            file = (try? root.open(FolderPath.join(path, String(decoding: name, as: UTF8.self)), flags: flags)) ?? -1
        } else {
            file = name.withMemoryRebound(to: CChar.self) { name in
                name.baseAddress.map { openat(folder, $0, flags | O_NOFOLLOW) } ?? -1
            }
        }
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
        // Left to itself the kernel would fetch more than the beginning.
        posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM)
        return Self.isPicture(FilePieces(descriptor: file, count: Int(status.st_size)).bytes(at: 0, Self.length))
    }

    private static func isPicture(_ beginning: [UInt8]) -> Bool {
        guard let kind = try? PictureKind(beginning), kind.isListed else { return false }
        // Two letters begin a BMP, and many texts; videos are known by their names in too many places.
        return kind == .bmp ? (try? PictureHeader(beginning)) != nil : kind != .video
    }
}
