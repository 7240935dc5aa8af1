import Foundation
import Glibc
import Media
import Store
import Synchronization
import Testing

/// Opens files with openat2, and component by component if the kernel or a container lacks that call.
@Suite(.timeLimit(.minutes(1))) final class FolderRootTests {
    private let outside: String
    private let folder: String
    private var root: FolderRoot { FolderRoot(path: folder) }

    init() throws {
        outside = NSTemporaryDirectory() + "lookahead-outside-\(UUID().uuidString)"
        folder = outside + "/pictures"
        try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: outside + "/secret.png"))
        try Data("picture".utf8).write(to: URL(fileURLWithPath: folder + "/a.png"))
    }

    deinit { try? FileManager.default.removeItem(atPath: outside) }

    private func link(_ name: String, to target: String) { symlink(target, "\(folder)/\(name)") }

    private func read(_ file: String, _ root: FolderRoot, isOld: Bool) throws(FolderRoot.Failure) -> String {
        let descriptor =
            isOld
            ? try root.open(file, flags: O_RDONLY) { _, _, _ in
                errno = ENOSYS
                return -1
            } : try root.open(file, flags: O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("files, and links to files inside the folder, are opened", arguments: [false, true])
    func inside(isOld: Bool) throws {
        link("relative.png", to: "a.png")
        link("absolute.png", to: folder + "/a.png")
        link("sub/up.png", to: "../a.png")
        link("twice.png", to: "sub/up.png")
        link("also", to: "sub")
        for file in ["a.png", "relative.png", "absolute.png", "sub/up.png", "twice.png", "also/up.png"] {
            #expect(try read(file, root, isOld: isOld) == "picture", "\(file)")
        }
        link("../named", to: folder)
        #expect(try read("a.png", FolderRoot(path: outside + "/named"), isOld: isOld) == "picture")
    }

    @Test("no path or link opens a file outside the folder, unless links are followed", arguments: [false, true])
    func leadsOut(isOld: Bool) throws {
        link("absolute.png", to: outside + "/secret.png")
        link("relative.png", to: "../secret.png")
        link("sub/twice.png", to: "../relative.png")
        link("away", to: outside)
        link("shadow.png", to: "/etc/shadow")
        for file in [
            "absolute.png", "relative.png", "sub/twice.png", "away/secret.png", "shadow.png", "../secret.png",
            "sub/../../secret.png",
        ] {
            #expect(throws: FolderRoot.Failure.leadsOutside, "\(file)") { try read(file, root, isOld: isOld) }
        }
        #expect(throws: FolderRoot.Failure.system(ENOENT)) { try read("none.png", root, isOld: isOld) }
        let open = FolderRoot(path: folder, followsLinks: true)
        #expect(try read("away/secret.png", open, isOld: isOld) == "secret")
    }

    @Test("a link is identified by its target only if the target is inside the folder")
    func identity() throws {
        link("in.png", to: "a.png")
        link("out.png", to: outside + "/secret.png")
        func size(_ file: String, _ root: FolderRoot) -> Substring? {
            StoreKey.identity(of: .file(path: "\(folder)/\(file)", root: root))?.split(separator: "|").first
        }
        #expect(size("in.png", root) == "7")
        #expect(size("out.png", root) == "\((outside + "/secret.png").utf8.count)")
        #expect(size("out.png", FolderRoot(path: folder, followsLinks: true)) == "6")
    }

    @Test("a file or folder swapped for a link during the open never leads outside", arguments: [false, true])
    func race(isOld: Bool) throws {
        let isOver = Atomic(false)
        let done = DispatchSemaphore(value: 0)
        let folder = folder, outside = outside
        try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
        for name in ["real/secret.png", "file"] {
            try Data("picture".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        symlink(outside, folder + "/link")
        symlink("../../secret.png", folder + "/sub/link.png")
        rename(folder + "/file", folder + "/sub/file.png")
        Thread.detachNewThread {
            // Swaps the folder and the link again and again.
            while !isOver.load(ordering: .relaxed) {
                for (one, other) in [("real", "link"), ("sub/file.png", "sub/link.png")] {
                    rename("\(folder)/\(one)", "\(folder)/spare")
                    rename("\(folder)/\(other)", "\(folder)/\(one)")
                    rename("\(folder)/spare", "\(folder)/\(other)")
                }
            }
            done.signal()
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            done.wait()
        }
        var seen = 0
        for _ in 0..<20_000 {
            for file in ["real/secret.png", "sub/file.png"] {
                guard let text = try? read(file, root, isOld: isOld) else { continue }
                #expect(text == "picture")
                seen += 1
                if text != "picture" { return }
            }
        }
        #expect(seen > 0)
    }
}
