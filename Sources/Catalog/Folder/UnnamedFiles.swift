import Glibc
import Media

/// The files of one folder whose names do not show their type. Up to 4,096 of them are examined.
struct UnnamedFiles {
    /// Maximum number of files of one folder that are examined. Takes a few hundredths of a second.
    private static let maximumChecks = 4_096
    /// Number of bytes read from each file.
    private static let length = 256

    let root: FolderRoot
    /// Path of the folder, relative to the root.
    let path: String
    let folder: Int32
    private var checks = 0

    init(root: FolderRoot, path: String, folder: Int32) {
        self.root = root
        self.path = path
        self.folder = folder
    }

    /// Returns whether a file's type is unclear from its name: no extension, or an extension with several meanings.
    static func mayBePicture(_ name: UnsafeBufferPointer<UInt8>, _ type: PictureName.Extension?) -> Bool {
        type?.isAmbiguous ?? !name.contains(UInt8(ascii: "."))
    }

    /// Returns whether a file starts like a picture of a kind that can be shown. Never waits for the other end of a pipe.
    ///
    /// - Parameter isLink: whether the file is a link. Links are followed as far as the root allows.
    /// - Returns: `nil` if the maximum number of files has already been examined.
    mutating func isPicture(_ name: UnsafeBufferPointer<UInt8>, isLink: Bool) -> Bool? {
        guard checks < Self.maximumChecks else { return nil }
        checks += 1
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
        // By default, the kernel would also fetch bytes after the beginning.
        posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM)
        return Self.isPicture(FilePieces(descriptor: file, count: Int(status.st_size)).bytes(at: 0, Self.length))
    }

    private static func isPicture(_ beginning: [UInt8]) -> Bool {
        guard let kind = try? PictureKind(magic: beginning), kind.isListed else { return false }
        // Many texts start with the two letters of a BMP, so check its header, which has a fixed form. Videos are excluded, because too many places recognize
        // them by name.
        return kind == .bmp ? (try? PictureHeader(beginning)) != nil : kind != .video
    }
}
