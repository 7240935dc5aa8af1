import Media
import Testing
import Thumbnails

@Suite struct PreviewChoiceTests {
    private let large = 4_000_000
    private let small = 40_000

    /// Experience with a host after files of these sizes.
    private func known(_ sizes: [Int], hasPreview: Bool? = true) -> RemoteFiles {
        var files = RemoteFiles()
        for size in sizes { files.came(from: "a", size: size, hasPreview: size == large ? hasPreview : nil) }
        return files
    }

    private func choice(_ files: RemoteFiles, _ host: String = "a") -> PreviewChoice { .url(from: files[host]) }

    @Test(
        "a folder's file is shown by its preview first if it has 512 kB or more",
        arguments: [(nil, .whole), (0, .whole), (524_287, .whole), (524_288, .preview), (Int.max, .preview)]
            as [(Int?, PreviewChoice)])
    func file(bytes: Int?, choice: PreviewChoice) { #expect(PreviewChoice.file(bytes: bytes) == choice) }

    @Test(
        "a picture from an unknown host is requested whole, and the download ends after 68 kB if the picture is large")
    func unknown() {
        let choice = choice(RemoteFiles())
        #expect(choice == .beginning(requestsRange: false))
        #expect(choice.beginning?.length == JPEGHead.length)
        #expect(choice.beginning?.minimumBody == PreviewReader.minimumBytes)
    }

    @Test("a host with large files gets range requests, a host with small files does not")
    func median() {
        #expect(choice(known([large])) == .beginning(requestsRange: true))
        #expect(choice(known([small])) == .whole)
        #expect(choice(known([small, large, large])) == .beginning(requestsRange: true))
        #expect(choice(known([small, small, large])) == .whole)
        #expect(choice(known([large]), "b") == .beginning(requestsRange: false))
    }

    @Test("only the latest eight files of a host count")
    func latest() {
        let sizes = [Int](repeating: small, count: 100) + [Int](repeating: large, count: 5)
        #expect(choice(known(sizes)) == .beginning(requestsRange: true))
    }

    @Test("a host that responds to a range request with the whole file gets no more range requests")
    func noRanges() {
        var files = known([large])
        files.came(from: "a", size: large, hasPreview: true, sentWhole: true)
        #expect(choice(files) == .whole)
    }

    @Test("after four large files without a preview, large files are requested whole, until one has a preview")
    func noPreviews() {
        let few = [Int](repeating: large, count: RemoteFiles.patience - 1)
        #expect(choice(known(few, hasPreview: false)) == .beginning(requestsRange: true))
        var files = known(few + [large], hasPreview: false)
        #expect(choice(files) == .whole)
        files.rendered(from: "a", size: small, hasPreview: true)
        #expect(choice(files) == .whole)
        files.rendered(from: "a", size: large, hasPreview: true)
        #expect(choice(files) == .beginning(requestsRange: true))
    }

    @Test("no range is requested for a local picture, after a time-out, or from an unknown host of a cluster")
    func exceptions() {
        let host = known([large])["a"]
        #expect(PreviewChoice.url(from: host, isHere: true) == .whole)
        #expect(PreviewChoice.url(from: host, hasTimedOut: true) == .whole)
        #expect(PreviewChoice.url(from: host, isShared: true) == .beginning(requestsRange: true))
        #expect(PreviewChoice.url(from: nil, isShared: true) == .whole)
    }

    @Test("hosts over the capacity are forgotten, the one without files for the longest time first")
    func bound() {
        var files = RemoteFiles(capacity: 2)
        for host in ["a", "b", "a", "c"] { files.came(from: host, size: large, hasPreview: true) }
        #expect(choice(files, "a") == .beginning(requestsRange: true))
        #expect(files["b"] == nil)
        #expect(choice(files, "c") == .beginning(requestsRange: true))
    }
}
