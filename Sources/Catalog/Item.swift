public import Media

/// One picture of a catalogue.
public struct Item: Sendable, Equatable {
    public var locator: Locator
    /// The title shown under the picture. Never empty.
    public var title: String
    /// Size in pixels of the picture at ``locator``, if the source knows it.
    public var width: Int?
    public var height: Int?
    /// The full-size picture, if it has its own address.
    public var original: Original?
    /// The picture's prominent colour as 0xRRGGBB, if the source provides one. Shown until more of the picture is known.
    public var color: UInt32?
    /// The version of the picture, if the source itself knows it.
    public var version: ContentVersion?

    /// A full-size picture, for an item that is otherwise shown with a smaller picture.
    public struct Original: Sendable, Equatable {
        public var locator: Locator
        /// Size in pixels.
        public var width: Int
        public var height: Int

        public init(locator: Locator, width: Int, height: Int) {
            self.locator = locator
            self.width = width
            self.height = height
        }
    }

    public init(
        locator: Locator, title: String, width: Int? = nil, height: Int? = nil, color: UInt32? = nil
    ) {
        self.locator = locator
        self.title = title
        self.width = width
        self.height = height
        self.color = color
    }
}

extension Item {
    /// File name of the picture, or `nil` if unknown.
    public var fileName: String? {
        switch locator {
        case .file(let path, _): path.split(separator: "/").last.map(String.init)
        case .url(let url): PictureName.file(ofURL: url)
        }
    }

    /// Returns the version of the picture, or `nil` if unknown.
    ///
    /// - Parameter identity: identity of a file, as returned by ``StoreKey/identity(of:)``.
    package func version(identity: String?, validators: Validators?) -> ContentVersion? {
        if let version { return version }
        return switch locator {
        case .file: identity.map { ContentVersion(identity: $0) }
        case .url: validators.flatMap { ContentVersion($0) }
        }
    }

    public var originalLocator: Locator { original?.locator ?? locator }

    /// Returns the item with only the picture to render a thumbnail from. This is the full-size picture if the other picture would have to
    /// be enlarged to more than one and a half times its size.
    package func source(for size: ThumbnailSize) -> Item {
        guard let original, let width, let height else { return self }
        var item = self
        item.original = nil
        if 2 * size.width > 3 * width || 2 * size.height > 3 * height {
            (item.locator, item.width, item.height) = (original.locator, original.width, original.height)
        }
        return item
    }

    /// Whether the file is a video, judged by its name.
    package var isVideo: Bool {
        // Makes no strings, because each look-up of a thumbnail asks.
        let path =
            switch locator {
            case .file(let path, _): path.utf8[...]
            case .url(let url): url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
        return Array(path[start...]).withUnsafeBufferPointer { PictureName.Extension(of: $0)?.kind == .video }
    }
}

/// Converts colours to and from the form used in lists and pages: `#c86432`.
public enum PictureColor {
    /// Returns 0xRRGGBB, or `nil` if the text is not `#` and six hexadecimal digits.
    public static func parse(_ text: String) -> UInt32? {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
            text.utf8.dropFirst().allSatisfy(isHexadecimal)
        else { return nil }
        return UInt32(text.dropFirst(), radix: 16)
    }

    public static func text(_ color: UInt32) -> String {
        let digits = String(color & 0xFF_FFFF, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
