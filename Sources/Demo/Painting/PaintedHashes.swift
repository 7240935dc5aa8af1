import BoundedCache
import Media
import Numbers
import Synchronization

/// ThumbHashes of the demo's pictures. Each hash is computed from a small painting at its first use, then cached.
final class PaintedHashes: Sendable {
    /// Number of hashes in a cached block.
    private static let blockLength = 256
    /// Maximum number of cached blocks: hashes of 131,072 pictures, 3.3 MB.
    private static let maximumBlocks = 512
    /// Longer side of the painting, in pixels. In a smaller painting, lines and lights would be too thick.
    private static let side = 64.0
    /// Width and height of the squares of pixels that are averaged before hashing.
    private static let box = 3

    private let blocks = Mutex(BoundedCache<Int, ThumbHashColumn>(limit: maximumBlocks))

    /// Returns the hash of an item's picture. Painting takes 0.2 ms if the hash is not cached.
    subscript(index: Int) -> [UInt8]? {
        let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockLength)
        if let hash = blocks.withLock({ $0.use(block)?[place] }) { return hash }
        guard let hash = Self.hash(index) else { return nil }
        blocks.withLock { blocks in
            // Removes the block from the cache first, so that the change does not copy the block.
            var column = blocks.remove(block) ?? ThumbHashColumn(count: Self.blockLength)
            column[place] = hash
            blocks.insert(column, for: block)
        }
        return hash
    }

    static func hash(_ index: Int) -> [UInt8]? {
        let (width, height) = DemoCatalog.shape(index)
        let scale = side / Double(max(width, height))
        func scaled(_ side: Int) -> Int { Int(clamping: (Double(side) * scale).rounded()) }
        let picture = DemoPicture(width: scaled(width), height: scaled(height), text: "food \(index + 1)")
        guard let picture else { return nil }
        let (columns, rows) = (picture.width / box, picture.height / box)
        return ThumbHash(width: columns, height: rows, rgba: shrunk(picture.pixels(), picture.width, columns, rows))?
            .bytes
    }

    /// Returns the means of squares of `box` by `box` pixels, as red, green, blue and alpha.
    private static func shrunk(_ pixels: [UInt32], _ width: Int, _ columns: Int, _ rows: Int) -> [UInt8] {
        var rgba: [UInt8] = []
        rgba.reserveCapacity(columns * rows * 4)
        for row in 0..<rows {
            for column in 0..<columns {
                var (red, green, blue) = (0, 0, 0)
                for y in row * box..<(row + 1) * box {
                    for x in column * box..<(column + 1) * box {
                        let pixel = Int(pixels[y * width + x])
                        red += pixel & 255
                        green += pixel >> 8 & 255
                        blue += pixel >> 16 & 255
                    }
                }
                let count = box * box
                rgba += [UInt8(red / count), UInt8(green / count), UInt8(blue / count), 255]
            }
        }
        return rgba
    }
}
