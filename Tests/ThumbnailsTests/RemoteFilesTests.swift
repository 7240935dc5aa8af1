import PhotoFacts
import Pictures
import Testing
import Thumbnails

@Suite struct RemoteFilesTests {
    private let large = 4_000_000
    private let small = 40_000

    /// Knowledge of a host after such files.
    private func known(_ sizes: [Int], hasPreview: Bool? = true) -> RemoteFiles {
        var files = RemoteFiles()
        for size in sizes { files.came(from: "a", size: size, hasPreview: size == large ? hasPreview : nil) }
        return files
    }

    @Test("a host that is not known is asked for the whole, which ends after the beginning where it is long")
    func unknown() {
        let beginning = RemoteFiles().beginning(from: "a")
        #expect(beginning?.requestsRange == false)
        #expect(beginning?.length == JPEGHead.length && beginning?.minimumBody == PreviewReader.minimumBytes)
    }

    @Test("a host of large files is asked for their beginnings, one of small files for the whole")
    func median() {
        #expect(known([large]).beginning(from: "a")?.requestsRange == true)
        #expect(known([small]).beginning(from: "a") == nil)
        #expect(known([small, large, large]).beginning(from: "a")?.requestsRange == true)
        #expect(known([small, small, large]).beginning(from: "a") == nil)
        #expect(known([large]).beginning(from: "b")?.requestsRange == false)
    }

    @Test("its latest files count, not those before")
    func latest() {
        let sizes = [Int](repeating: small, count: 100) + [Int](repeating: large, count: 5)
        #expect(known(sizes).beginning(from: "a")?.requestsRange == true)
    }

    @Test("a host that sends the whole in place of a part is asked for no part again")
    func noRanges() {
        var files = known([large])
        files.came(from: "a", size: large, hasPreview: true, sentWhole: true)
        #expect(files.beginning(from: "a") == nil)
    }

    @Test("large files without previews are asked for at once after a few, until one has a preview")
    func noPreviews() {
        let few = [Int](repeating: large, count: RemoteFiles.patience - 1)
        #expect(known(few, hasPreview: false).beginning(from: "a")?.requestsRange == true)
        var files = known(few + [large], hasPreview: false)
        #expect(files.beginning(from: "a") == nil)
        files.came(from: "a", size: large, hasPreview: true)
        #expect(files.beginning(from: "a")?.requestsRange == true)
    }

    @Test("hosts beyond the bound are forgotten, the one that sent nothing for longest first")
    func bound() {
        var files = RemoteFiles(capacity: 2)
        for host in ["a", "b", "a", "c"] { files.came(from: host, size: large, hasPreview: true) }
        #expect(files.beginning(from: "a")?.requestsRange == true)
        #expect(files.beginning(from: "b")?.requestsRange == false)
        #expect(files.beginning(from: "c")?.requestsRange == true)
    }
}
