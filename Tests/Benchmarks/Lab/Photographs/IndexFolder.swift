import Demo
import Foundation
import Glibc
import Terminal
import TestSupport

/// A folder of a camera's files as an index sees them: their heads are there, with EXIF and a preview, what follows is a hole. In
/// subfolders of a thousand; each is a file of its own, with a time and one of forty cameras. Made once, and kept among the
/// temporary files: 8 kB each.
struct IndexFolder {
    /// Bytes of a file, as it says.
    static let length = 4 << 20
    private static let perFolder = 1_000
    /// Of the files; another whenever they change.
    private static let version = 2

    let path: String
    let files: Int

    /// - Parameter onFolder: told of each subfolder that is made or found.
    init(files: Int, onFolder: () -> Void) throws {
        self.files = files
        path = NSTemporaryDirectory() + "lookahead-index-\(Self.version)/\(files)/photographs"
        guard let picture = DemoPicture(width: 160, height: 120, text: "index")?.jpeg(),
            let preview = DemoPicture(width: 160, height: 120, text: "index")?.jpeg()
        else { throw CommandFailure("cannot paint a photograph") }
        for first in stride(from: 0, to: files, by: Self.perFolder) {
            let folder = Self.folder(first, in: path)
            onFolder()
            if FileManager.default.fileExists(atPath: folder) { continue }
            // Whole, or not at all.
            let unfinished = folder + ".unfinished"
            try? FileManager.default.removeItem(atPath: unfinished)
            try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
            for number in first..<min(first + Self.perFolder, files) {
                let name = "\(unfinished)/IMG_\(10_000_000 + number).jpg"
                try Self.write(number, name, picture, preview)
            }
            try FileManager.default.moveItem(atPath: unfinished, toPath: folder)
        }
    }

    static func folders(of files: Int) -> Int { (files + perFolder - 1) / perFolder }

    private static func folder(_ number: Int, in path: String) -> String { "\(path)/\(10_000 + number / perFolder)" }

    private static func write(_ number: Int, _ name: String, _ picture: [UInt8], _ preview: [UInt8]) throws {
        var camera = CameraFile()
        camera.preview = preview
        camera.model = "Painted \(1 + number % 40)"
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
        camera.taken =
            "\(2000 + number % 24):\(two(1 + number % 12)):\(two(1 + number % 28)) "
            + "\(two(number % 24)):\(two(number % 60)):\(two(number / 60 % 60))"
        let file = open(name, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CommandFailure("cannot write \(name)") }
        defer { close(file) }
        let bytes = camera.bytes(around: picture)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, ftruncate(file, off_t(length)) == 0 else {
            throw CommandFailure("cannot write \(name)")
        }
    }

    /// Has the system forget the files' bytes. Their names and states it keeps.
    func forget() {
        sync()
        for number in 0..<files {
            let name = "\(Self.folder(number, in: path))/IMG_\(10_000_000 + number).jpg"
            let file = open(name, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
            close(file)
        }
    }
}
