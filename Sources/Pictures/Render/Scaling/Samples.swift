/// Interleaved 8-bit samples: a plane of one channel, or pixels of four.
package struct Samples: Sendable {
    package enum Layout: Sendable, Equatable {
        /// One channel.
        case plane
        /// Red, green, blue and a byte without meaning.
        case rgbx
        /// Red, green, blue, alpha; not premultiplied.
        case rgba
        /// 255 is no ink, as Adobe writes it.
        case invertedCMYK

        var channels: Int { self == .plane ? 1 : 4 }
    }

    package let layout: Layout
    /// Samples in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Bytes from a row to the next.
    let stride: Int
    /// How many samples the picture spans: a JPEG of 4001 pixels decoded at 1/8 spans 500.125 of its 501.
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

/// A decoded picture.
struct DecodedPicture: Sendable {
    var picture: Picture
    /// Whether some of the picture is missing or wrong: its bytes end early, or contradict themselves.
    var isDamaged = false
    /// ICC profile of the pixels, if the decoder reads it and the header does not.
    var profile: [UInt8]?
}

/// A decoded picture as its decoder gives it, not yet turned, converted or at its final size.
enum Picture: Sendable {
    /// Luma alone.
    case grey(Samples)
    /// Luma and two chroma planes, JPEG's full-range BT.601, chroma at any resolution.
    case ycc(Samples, Samples, Samples)
    case packed(Samples)
}
