import Catalog
import Fetch
import Foundation
import Media
import Synchronization
import Testing

@Suite struct BucketListingTests {
    private static func location(_ text: String = "s3://pictures/2024/") throws -> BucketLocation {
        try BucketLocation(text, endpoint: "https://nas.local:9000", region: "eu-test-1")
    }

    private static func page(_ keys: [String], next: String? = nil, isEscaped: Bool = true) -> [UInt8] {
        let contents = keys.map { "<Contents><Key>\($0)</Key><Size>9</Size><ETag>&quot;0a-1&quot;</ETag></Contents>" }
        return Array(
            """
            <?xml version="1.0"?><ListBucketResult xmlns="x">\(isEscaped ? "<EncodingType>url</EncodingType>" : "")\
            \(next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? "")\(contents.joined())</ListBucketResult>
            """.utf8)
    }

    @Test(
        "a bucket source names its bucket and prefix",
        arguments: [
            ("s3://pictures", "pictures", ""), ("s3://pictures/", "pictures", ""),
            ("s3://my.pictures/a b/c", "my.pictures", "a b/c"),
        ])
    func sources(text: String, bucket: String, prefix: String) throws {
        let location = try Self.location(text)
        #expect(location.bucket == bucket && location.prefix == prefix)
        #expect(location.endpoint == "https://nas.local:9000")
    }

    @Test(
        "an invalid bucket source or endpoint is refused",
        arguments: [
            ("s3://", nil), ("s3:///a", nil), ("s3://a b/", nil), ("s3://../x", nil), ("s3://pictures", "ftp://x"),
            ("s3://pictures", "https://x/path"), ("s3://pictures", "https://user@x"), ("s3://pictures", "https://x?y"),
        ])
    func wrong(text: String, endpoint: String?) {
        #expect(throws: SourceError.self) { try BucketLocation(text, endpoint: endpoint, region: "us-east-1") }
    }

    @Test("the default endpoint is Amazon's for the region")
    func amazon() throws {
        let location = try BucketLocation("s3://pictures", region: "eu-central-1")
        #expect(
            location.listing(after: nil).hasPrefix("https://s3.eu-central-1.amazonaws.com/pictures?encoding-type=url"))
    }

    @Test("bucket addresses are fully escaped, and signatures cover only the prefix")
    func addresses() throws {
        let location = try Self.location("s3://pictures/a b/")
        #expect(
            location.listing(after: "1+/=")
                == "https://nas.local:9000/pictures?continuation-token=1%2B%2F%3D&encoding-type=url&list-type=2&prefix=a%20b%2F"
        )
        let url = location.url(ofKey: Array("a b/é+=*():@%&.jpg".utf8), version: "0a-1")
        #expect(url == "https://nas.local:9000/pictures/a%20b/%C3%A9%2B%3D%2A%28%29%3A%40%25%26.jpg#0a-1")
        // libcurl sends the address unchanged.
        #expect(try WebURL(url).absolute == url.prefix { $0 != "#" })
        let signature = location.signature(BucketCredentials(accessKey: "a", secretKey: "secret"))
        #expect(signature.prefixes.contains { url.hasPrefix($0) })
        #expect(!signature.prefixes.contains { "https://nas.local:9000/pictures/b.jpg".hasPrefix($0) })
        #expect(!signature.prefixes.contains { "https://nas.local:9000.evil/pictures/a%20b/".hasPrefix($0) })
        #expect(!"\(signature.credentials)".contains("secret"))
    }

    @Test("bucket pages continue by token, and their folders become sections")
    func pages() throws {
        var listing = BucketListing(try Self.location())
        #expect(listing.nextPage?.contains("continuation-token") == false)
        try listing.take(
            Self.page(["2024/a+b%2B.jpg", "2024/", "2024/x.txt", "2024/x.avi", "2024/%C3%A9/1.PNG"], next: "t&amp;1"))
        #expect(listing.nextPage?.contains("continuation-token=t%261&") == true)
        try listing.take(Self.page(["2024/%C3%A9/u/2.webp", "2024/a/../b.jpg"]))
        #expect(listing.nextPage == nil)
        let catalog = listing.list(revision: 1).catalog
        #expect(catalog.isComplete && catalog.title == "2024")
        #expect(catalog.sections.map(\.title) == ["2024", "é", "é/u"])
        #expect((0..<3).map { catalog.item($0)?.title } == ["a b+", "1", "2"])
        #expect(catalog.item(0)?.locator == .url("https://nas.local:9000/pictures/2024/a%20b%2B.jpg#0a-1"))
        #expect(catalog.item(0)?.fileName == "a b+.jpg")
        #expect(listing.notShown.kinds == [KindNotShown(kind: "avi", count: 1)])
        #expect(listing.leftOut == 1)
    }

    @Test("keys are read literally if the service does not escape them")
    func plain() throws {
        var listing = BucketListing(try Self.location("s3://pictures"))
        try listing.take(Self.page(["a+b%20&lt;c&#38;.jpg"], isEscaped: false))
        #expect(
            listing.list(revision: 0).item(0)?.locator
                == .url("https://nas.local:9000/pictures/a%2Bb%2520%3Cc%26.jpg#0a-1"))
    }

    @Test("a listing ends if the service repeats a token or the list is full")
    func endless() throws {
        var listing = BucketListing(try Self.location())
        try listing.take(Self.page(["2024/1.jpg"], next: "again"))
        try listing.take(Self.page(["2024/2.jpg"], next: "again"))
        #expect(listing.nextPage == nil)
        var limits = ListLimits()
        limits.maxItems = 1
        var short = BucketListing(try Self.location(), limits: limits)
        try short.take(Self.page(["2024/1.jpg", "2024/2.jpg"], next: "more"))
        #expect(short.nextPage == nil && short.leftOut == 1)
    }

    @Test(
        "a page that is not a listing is refused and adds nothing",
        arguments: ["", "<html>", "<ListBucketResult><Contents><Key>a.jpg</Key></ListBucketResult>"])
    func noListing(text: String) throws {
        var listing = BucketListing(try Self.location())
        #expect(throws: ListProblem.self) { try listing.take(Array(text.utf8)) }
        #expect(listing.count == 0 && listing.nextPage != nil)
    }

    @Test("a truncated page adds nothing")
    func cut() throws {
        let whole = Self.page(["2024/a%2", "2024/b.jpg&#x", "2024/&amp"], next: "x")
        for end in whole.indices {
            var listing = BucketListing(try Self.location())
            try? listing.take(Array(whole[..<end]))
            #expect(listing.count == 0)
        }
    }

    @Test("a failed page is retried, and the listing ends if it fails again")
    func failing() async throws {
        struct Failure: Error {}
        let pages = Mutex([
            Self.page(["2024/1.jpg"], next: "1"), nil, Self.page(["2024/2.jpg"], next: "2"), nil, nil,
        ])
        let said = Mutex<[String]>([])
        let catalog = try await BucketCatalog(
            try Self.location(), pauses: [.zero], warn: { text in said.withLock { $0.append(text) } }
        ) { _ in
            guard let page = pages.withLock({ $0.removeFirst() }) else { throw Failure() }
            return page
        }
        let list = await catalog.waitUntil { _ in false }
        #expect(list.itemCount == 2 && !list.isComplete)
        #expect(said.withLock { $0 }.contains { $0.contains("the rest is not listed") })
    }
}
