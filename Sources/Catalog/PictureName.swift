import Media

/// Extracts facts about a picture from file names and addresses.
package enum PictureName {
    /// Extensions of RAW files with a preview that can be shown, in lower case. The first one belongs to no camera maker.
    package static let rawEndings = [
        "dng", "cr2", "cr3", "nef", "nrw", "arw", "sr2", "srf", "raf", "rw2", "rwl", "orf", "pef", "srw", "3fr", "fff",
        "erf", "mef", "mos", "kdc", "dcr", "gpr",
    ]

    /// A file's extension of two to five ASCII characters, in lower case.
    package struct Extension: Hashable, Sendable {
        private let code: UInt64

        /// Ignores trailing spaces and dots, which files copied from other systems may have.
        ///
        /// - Returns: `nil` if the name has no such extension, or nothing before the extension.
        init?(of name: UnsafeBufferPointer<UInt8>) {
            guard let last = name.lastIndex(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ".") }),
                let dot = name[...last].lastIndex(of: UInt8(ascii: ".")), dot > 0, 2...5 ~= last - dot
            else { return nil }
            code = name[(dot + 1)...last].reduce(0) { $0 << 8 | UInt64($1 | 0x20) }
        }

        /// - Parameter text: the extension in lower case.
        init?(_ text: String) {
            guard 2...5 ~= text.utf8.count else { return nil }
            code = text.utf8.reduce(0) { $0 << 8 | UInt64($1) }
        }

        package var text: String {
            let bytes = [32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
            return String(decoding: bytes.drop { $0 == 0 }, as: UTF8.self)
        }

        /// Whether the renderer supports such pictures.
        var isShown: Bool { Self.shown.contains(self) }

        /// Whether this is an extension of pictures or videos that cannot be shown.
        var isNotShown: Bool { Self.notShown.contains(self) }

        /// Whether both pictures and other files have this extension, so that the bytes must be checked.
        var isAmbiguous: Bool { Self.ambiguous.contains(self) }

        /// The format of the extension, if it is a format that a build may lack.
        var format: PictureKind? { Self.optional.first { $0.extensions.contains(self) }?.kind }

        /// The kind of file that the extension suggests, or `nil` if unknown.
        var kind: PictureKind? { Self.kinds[self] }

        private static let kinds: [Extension: PictureKind] = {
            var kinds: [Extension: PictureKind] = [:]
            for (kind, extensions) in [
                (PictureKind.jpeg, "jpg jpeg jfif jpe mpo insp"), (.png, "png apng"), (.webp, "webp"), (.gif, "gif"),
                (.bmp, "bmp dib"), (.raw, "crw x3f mrw iiq raw"),
            ] {
                for name in list(extensions) { kinds[name] = kind }
            }
            for name in raw { kinds[name] = .raw }
            for (kind, extensions) in optional { for name in extensions { kinds[name] = kind } }
            return kinds
        }()

        /// Formats that a build may lack.
        private static let optional: [(kind: PictureKind, extensions: [Extension])] = [
            (.heic, list("heic heif hif")), (.avif, list("avif avifs")), (.tiff, list("tif tiff")),
            (.video, list("mp4 m4v mov 3gp")), (.jxl, list("jxl")),
        ]

        private static let raw: [Extension] = PictureName.rawEndings.compactMap { Extension($0) }

        private static let shown = Set(
            list("jpg jpeg jfif jpe mpo insp png apng webp gif bmp dib") + raw
                + optional.filter(\.kind.isListed).flatMap(\.extensions))

        /// Extensions that cameras, phones and picture editors write.
        private static let notShown = Set(
            list(
                """
                jp2 j2k jpx svg ico psd psb xcf exr hdr tga crw x3f mrw iiq raw \
                avi mkv webm mpg mpeg mts m2ts wmv flv ogv
                """) + optional.filter { !$0.kind.isListed }.flatMap(\.extensions))

        private static let ambiguous = Set(list("mrw iiq raw"))

        private static func list(_ words: String) -> [Extension] {
            words.split(separator: " ").compactMap { Extension(String($0)) }
        }
    }

    /// Returns whether the renderer supports a file, judged by its extension in any case.
    static func isPicture(_ name: UnsafeBufferPointer<UInt8>) -> Bool { Extension(of: name)?.isShown ?? false }

    /// Returns the kind of file that the name's extension suggests, or `nil` if unknown.
    package static func kind(ofFile name: String) -> PictureKind? {
        Array(name.utf8).withUnsafeBufferPointer { Extension(of: $0)?.kind }
    }

    /// Returns a file's name without its extension and without spaces and dots after the extension.
    package static func stem(ofFile name: String) -> String {
        var stem = name[...]
        while let last = stem.last, last == " " || last == "." { stem.removeLast() }
        if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = stem[..<dot] }
        return String(stem)
    }

    /// Returns a title from a file's name: the stem with underscores replaced by spaces.
    static func title(ofFile name: String) -> String {
        let title = String(stem(ofFile: name).map { $0 == "_" ? " " : $0 })
        return title.contains { $0 != " " } ? title : name
    }

    /// Returns a title from an address: the stem of its file name, or else its host.
    static func title(ofURL url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let afterScheme = path.firstRange(of: "://").map { path[$0.upperBound...] } ?? path
        let parts = afterScheme.split(separator: "/")
        guard let last = parts.last else { return url }
        return parts.count == 1 ? String(last) : title(ofFile: percentDecoded(last))
    }

    /// Returns the file name of an address, with its extension, or `nil` if it is not the name of a picture.
    static func file(ofURL url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        let name = percentDecoded(last)
        return Array(name.utf8).withUnsafeBufferPointer(isPicture) ? name : nil
    }

    static func percentDecoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(rest.prefix(2), radix: 16), value >= 0x20 {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Parses exactly two hexadecimal digits.
    fileprivate init?(_ digits: Substring.UTF8View, radix: Int) {
        guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        self.init(Substring(digits), radix: radix)
    }
}
