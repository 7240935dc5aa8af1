/// The references between the items of a HEIF file (ISO/IEC 14496-12, 8.11.12), adapted to libheif.
package enum HEIFReferences {
    /// Reference types that must name exactly one item: otherwise libheif before 1.18 refuses the whole file. Phones write other references
    /// of these types for pictures with a gain map. The picture can be shown without them.
    private static let types: Set<FourCC> = ["auxl", "cdsc", "thmb"]

    /// Returns the file with references that libheif refuses renamed to `skip`, a type that readers ignore. Their length and every offset
    /// in the file stay the same. Without such references, the result is the same array.
    package static func skippingRefused(_ bytes: [UInt8]) -> [UInt8] {
        let file = FilePieces(bytes)
        guard let meta = Boxes(file).first(where: { $0.type == "meta" }) else { return bytes }
        var result = bytes
        for box in Boxes(file, meta.data.dropFirst(4)) where box.type == "iref" {
            for reference in refused(file, box.data) { result.replaceSubrange(reference, with: "skip".utf8) }
        }
        return result
    }

    /// Returns the positions of the types of refused references.
    private static func refused(_ file: FilePieces, _ data: Range<Int>) -> [Range<Int>] {
        var head = file.reader(at: data.lowerBound, min(data.count, 1))
        guard let version = head.byte(), version <= 1 else { return [] }
        let size = version == 0 ? 2 : 4
        return Boxes(file, data.dropFirst(4)).compactMap { box in
            var reader = file.reader(at: box.data.lowerBound, box.data.count)
            // Ignores a reference that is longer than its box. It is invalid under any name.
            guard types.contains(box.type), reader.skip(size), let count = reader.number(2, bigEndian: true),
                count != 1, count * size <= reader.remaining
            else { return nil }
            return box.start + 4..<box.start + 8
        }
    }
}
