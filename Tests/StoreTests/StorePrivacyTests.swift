import Foundation
import Glibc
import Media
import Store
import Testing

/// Other users of the machine must not read the thumbnails.
@Suite(.timeLimit(.minutes(1))) struct StorePrivacyTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// The modes of the files of a folder, by name.
    private func modes(_ folder: String) throws -> [String: mode_t?] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, mode("\(folder)/\($0)")) })
    }

    private func fill(_ store: ThumbnailStore) async {
        for number in 0..<3 { store.save(StoreFixture.thumbnail(number), as: "\(number)") }
        await store.flush()
    }

    @Test("new folders and files of the store are private to their owner")
    func made() async throws {
        let folder = fixture.path + "/above/store"
        let store = fixture.store { $0.directory = folder }
        await fill(store)
        #expect(mode(fixture.path + "/above") == 0o700)
        #expect(mode(folder) == 0o700)
        let modes = try modes(folder)
        #expect(
            Set(modes.keys).isSuperset(of: ["thumbnails.sqlite", "thumbnails.sqlite-wal", "thumbnails.sqlite-shm"]))
        for (name, mode) in modes { #expect(mode == 0o600, "\(name)") }
        await store.close()
    }

    @Test("an existing store folder is made private and keeps its thumbnails")
    func tightened() async throws {
        let first = fixture.store()
        await fill(first)
        // A process that is killed leaves the log and the index.
        for (name, _) in try modes(fixture.path) { chmod("\(fixture.path)/\(name)", 0o644) }
        try Data([1]).write(to: URL(fileURLWithPath: fixture.file + ".old"))
        chmod(fixture.file + ".old", 0o666)
        chmod(fixture.path, 0o755)
        let second = fixture.store()
        #expect(await second.thumbnail("1") == StoreFixture.thumbnail(1))
        #expect(mode(fixture.path) == 0o700)
        for (name, mode) in try modes(fixture.path) { #expect(mode == 0o600, "\(name)") }
        await second.close()
        await first.close()
    }

    @Test("in a folder with other files only the store's files are made private")
    func shared() async throws {
        try Data([1]).write(to: URL(fileURLWithPath: fixture.path + "/photo.jpg"))
        chmod(fixture.path, 0o755)
        chmod(fixture.path + "/photo.jpg", 0o644)
        let store = fixture.store()
        await fill(store)
        #expect(mode(fixture.path) == 0o755)
        for (name, mode) in try modes(fixture.path) {
            #expect(mode == (name == "photo.jpg" ? 0o644 : 0o600), "\(name)")
        }
        await store.close()
    }
}
