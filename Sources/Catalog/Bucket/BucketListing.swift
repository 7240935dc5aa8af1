/// The part of a bucket's listing that has been read so far, and the address of the next page.
package struct BucketListing: Sendable {
    private let location: BucketLocation
    private var list: ListBuilder
    private var token: String?
    private(set) var isComplete = false
    package private(set) var notShown = FilesNotShown()
    /// Number of pictures left out: keys that cannot be requested, and pictures beyond the limits.
    package private(set) var leftOut = 0
    private(set) var problems: [ListProblem] = []

    package init(_ location: BucketLocation, limits: ListLimits = ListLimits()) {
        self.location = location
        list = ListBuilder(limits: limits)
    }

    package var count: Int { list.count }

    /// Address of the next page, or `nil` if all pages have been read.
    package var nextPage: String? { isComplete ? nil : location.listing(after: token) }

    /// - Throws: ``ListProblem`` if `xml` is not a page. Nothing is added then.
    package mutating func take(_ xml: [UInt8]) throws(ListProblem) {
        let page = try BucketPage(xml)
        for object in page.objects { take(object) }
        // Stop if the service repeats a token or if the list is full.
        isComplete = page.next == nil || page.next == token || list.count >= list.limits.maxItems
        token = page.next
    }

    private mutating func take(_ object: BucketPage.Object) {
        let path = object.key.dropFirst(location.prefix.utf8.count)
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let name = parts.last, !name.isEmpty,
            let kind = name.withUnsafeBufferPointer(PictureName.Extension.init(of:))
        else { return }
        guard kind.isShown else {
            if kind.isNotShown { notShown.add(kind) }
            return
        }
        // libcurl and browsers resolve `.` and `..` in a path, so a key that contains them cannot be requested.
        guard
            !object.key.split(separator: UInt8(ascii: "/")).contains(where: {
                $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
            })
        else { return leaveOut(ListProblem(reason: "a key has . or .. as a path component")) }
        let file = String(decoding: name, as: UTF8.self)
        let section = parts.dropLast().filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }.joined(
            separator: "/")
        do throws(ListProblem) {
            try list.append(
                ListEntry(
                    url: location.url(ofKey: object.key, version: object.etag), title: PictureName.title(ofFile: file),
                    section: section.isEmpty ? location.title : section))
        } catch {
            leaveOut(error)
        }
    }

    private mutating func leaveOut(_ problem: ListProblem) {
        leftOut += 1
        if problems.count < list.limits.maxProblems { problems.append(problem) }
    }

    package func list(revision: Int) -> PictureList {
        list.finish(
            title: location.title, problems: problems, problemCount: leftOut, notShown: notShown.kinds,
            revision: revision, isComplete: isComplete)
    }
}
