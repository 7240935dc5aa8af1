import Catalog
import Glibc
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct LongListingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func fill(_ count: Int) {
        for number in 0..<count {
            let file = open("\(folder.path)/img\(number).jpg", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            if file >= 0 { close(file) }
        }
    }

    private func names(_ pages: [FolderPage]) -> [String] {
        pages.flatMap { page in (0..<page.names.count).map { page.names.text($0) } }
    }

    @Test("a huge folder shows its first pictures in order before it is fully read")
    func provisional() throws {
        fill(20_000)
        var tree = FolderTree(root: FolderRoot(path: folder.path), options: FolderOptions())
        var shown: [[String]] = []
        tree.walk(
            tree.top, enter: { _ in },
            progress: WalkProgress(isDue: { true }, show: { shown.append(names($0.pages)) }, continues: { true }))
        let whole = names(tree.pages)
        #expect(whole == (0..<20_000).map { "img\($0).jpg" })
        #expect(shown.count >= 3)
        #expect(shown.first?.isEmpty == false && (shown.first?.count ?? 0) < 20_000)
        for some in shown {
            #expect(some == some.sorted(by: NaturalOrder.areInIncreasingOrder))
            #expect(Set(some).isSubset(of: whole))
        }
        #expect(shown.last == whole)
    }

    @Test("a listing can be stopped midway")
    func stopped() throws {
        fill(10_000)
        var tree = FolderTree(root: FolderRoot(path: folder.path), options: FolderOptions())
        var asked = 0
        tree.walk(
            tree.top, enter: { _ in },
            progress: WalkProgress(
                isDue: { false }, show: { _ in },
                continues: {
                    asked += 1
                    return asked == 1
                }))
        #expect(tree.pages.isEmpty)
        #expect(asked >= 2)
    }

    @Test("a small folder is published once, complete")
    func quick() async throws {
        fill(50)
        var options = FolderOptions()
        options.publishInterval = 60_000
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        let first = await catalog.waitUntil { $0.revision > 0 }
        #expect(first.isComplete && first.itemCount == 50 && first.revision == 1)
    }
}
