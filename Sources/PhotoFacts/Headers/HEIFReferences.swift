/// The references between the items of a HEIF file (ISO/IEC 14496-12, 8.11.12), adapted to libheif.
package enum HEIFReferences {
    /// Reference types that must name exactly one item: otherwise libheif before 1.18 refuses the whole file. Phones write other references
    /// of these types for pictures with a gain map. The picture can be shown without them.
    private static let types: Set<String> = ["auxl", "cdsc", "thmb"]
    private static let maximumReferences = 65_536

    /// Returns the file with references that libheif refuses renamed to `skip`, a type that readers ignore. Their length and every offset
    /// in the file stay the same. Without such references, the result is the same array.
    package static func skippingRefused(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var top = Boxes(bytes)
        while let meta = top.next() {
            guard meta.type == "meta" else { continue }
            var boxes = Boxes(bytes, meta.data.dropFirst(4))
            while let box = boxes.next() {
                guard box.type == "iref" else { continue }
                for reference in refused(bytes, box.data) {
                    result.replaceSubrange(reference, with: "skip".utf8)
                }
            }
            break
        }
        return result
    }

    /// Returns the positions of the types of refused references.
    private static func refused(_ bytes: [UInt8], _ data: Range<Int>) -> [Range<Int>] {
        guard let version = bytes[data].first, version <= 1 else { return [] }
        let size = version == 0 ? 2 : 4
        var boxes = Boxes(bytes, data.dropFirst(4))
        var places: [Range<Int>] = []
        for _ in 0..<maximumReferences {
            guard let box = boxes.next() else { break }
            var reader = ByteReader(bytes, range: box.data)
            // Ignores a reference that is longer than its box. It is invalid under any name.
            guard types.contains(box.type), reader.skip(size), let count = reader.number(2, bigEndian: true),
                count != 1, count * size <= reader.remaining
            else { continue }
            places.append(box.typePlace)
        }
        return places
    }
}
