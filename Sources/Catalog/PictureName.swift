/// What file names and addresses tell about a picture.
enum PictureName {
    /// Whether a file of this name is a picture the renderer knows, by its extension in any case.
    static func isPicture(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return false }
        let length = name.count - dot - 1
        guard length == 3 || length == 4 else { return false }
        var letters: UInt32 = 0
        for byte in name[(dot + 1)...] { letters = letters << 8 | UInt32(byte | 0x20) }
        return extensions.contains(letters)
    }

    private static let extensions: [UInt32] = ["jpg", "jpeg", "png", "webp", "gif"].map { text in
        text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A title from a file's name: without its extension, underscores read as spaces.
    static func title(ofFile name: String) -> String {
        var stem = name[...]
        if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = stem[..<dot] }
        let title = String(stem.map { $0 == "_" ? " " : $0 })
        return title.contains { $0 != " " } ? title : name
    }

    /// A title from an address: the name of the file it seems to name, else its host.
    static func title(ofURL url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let afterScheme = path.firstRange(of: "://").map { path[$0.upperBound...] } ?? path
        let parts = afterScheme.split(separator: "/")
        guard let last = parts.last else { return url }
        return parts.count == 1 ? String(last) : title(ofFile: percentDecoded(last))
    }

    /// The name of the file that an address seems to name, with its extension; `nil` where it names none of a picture.
    static func file(ofURL url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        let name = percentDecoded(last)
        return Array(name.utf8).withUnsafeBufferPointer(isPicture) ? name : nil
    }

    private static func percentDecoded(_ text: Substring) -> String {
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
    /// The number that exactly two hexadecimal digits name.
    fileprivate init?(_ digits: Substring.UTF8View, radix: Int) {
        guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        self.init(Substring(digits), radix: radix)
    }
}
