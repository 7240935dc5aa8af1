extension PictureHeader {
    /// Reads the properties of the primary item of a HEIC or AVIF file (ISO/IEC 23008-12): size, rotation and colours. Also finds the
    /// position of the picture data.
    mutating func readHEIF(_ items: HEIFItems) {
        var angle = 0
        var mirror: Int?
        for property in items.properties(of: items.primary) {
            switch property {
            case .size(let width, let height):
                self.width = width
                self.height = height
            case .rotation(let quarters): angle = quarters
            case .mirror(let axis): mirror = axis
            // The crop comes before the rotation (ISO/IEC 23000-22, 7.3.6.7).
            case .crop(let width, let height) where kind == .heic && width > 0 && height > 0:
                self.width = min(self.width, width)
                self.height = min(self.height, height)
            case .profile(let range): profile = [range]
            case .colors(let primaries, let transfer): (self.primaries, self.transfer) = (primaries, transfer)
            case .crop, .auxiliary, .other: break
            }
        }
        hasAlpha = items.hasAlpha
        dataStart = items.dataStart
        dataEnd = items.dataEnd
        let turn = Orientation(quarters: angle, mirror: mirror)
        if kind == .avif {
            orientation = turn
        } else {
            // libheif itself turns the picture.
            decoderTurn = turn
            if turn.swapsSides { (width, height) = (height, width) }
        }
    }
}

extension Orientation {
    /// Converts the two orientation properties of HEIF.
    ///
    /// - Parameters:
    ///   - quarters: anticlockwise turns by 90 degrees, applied first.
    ///   - mirror: 0 swaps top and bottom, 1 swaps left and right.
    init(quarters: Int, mirror: Int?) {
        let turned: [Orientation] = [.up, .left, .down, .right]
        let swappedRows: [Orientation] = [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored]
        switch mirror {
        case nil: self = turned[quarters & 3]
        case 0: self = swappedRows[quarters & 3]
        // Swapping left and right is the same as swapping top and bottom, plus half a turn.
        default: self = swappedRows[(quarters + 2) & 3]
        }
    }
}
