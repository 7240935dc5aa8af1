/// Interleaved 8-bit samples: a plane of one channel, or pixels of four channels.
package struct Samples: Sendable {
    package enum Layout: Sendable, Equatable {
        case plane
        /// Red, green, blue and an unused byte.
        case rgbx
        /// Red, green, blue and alpha, not premultiplied.
        case rgba
        /// CMYK as Adobe writes it: 255 means no ink.
        case invertedCMYK

        var channels: Int { self == .plane ? 1 : 4 }
    }

    package let layout: Layout
    package let width: Int
    package let height: Int
    /// Bytes from one row to the next.
    let stride: Int
    /// Number of samples that the picture spans. For example, a JPEG 4001 pixels wide has 501 samples at 1/8, but spans only 500.125.
    var extentX: Double
    var extentY: Double
    package var bytes: [UInt8]

    package init(
        _ layout: Layout, width: Int, height: Int, stride: Int? = nil, extentX: Double? = nil, extentY: Double? = nil,
        bytes: [UInt8]
    ) {
        self.layout = layout
        self.width = width
        self.height = height
        self.stride = stride ?? width * layout.channels
        self.extentX = extentX ?? Double(width)
        self.extentY = extentY ?? Double(height)
        self.bytes = bytes
    }
}

struct DecodedPicture: Sendable {
    var picture: Picture
    /// Whether a part of the picture is missing or wrong, because its bytes end early or are invalid.
    var isDamaged = false
    /// ICC profile of the pixels, if the decoder reads it and the header does not.
    var profile: [UInt8]?
}

/// A picture as returned by its decoder: not turned, not converted and not at its final size.
enum Picture: Sendable {
    case grey(Samples)
    /// Luma and two chroma planes, in JPEG's full-range BT.601. Chroma may have any resolution.
    case ycc(Samples, Samples, Samples)
    case packed(Samples)
}
