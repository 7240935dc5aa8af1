import PhotoFacts

/// How finely a thumbnail keeps colours. JPEG's usual half resolution is not seen in photographs, and turns a red and blue
/// checker purple.
enum ColorDetail: Sendable, Equatable {
    /// Half of luma's resolution both ways.
    case halved
    /// Luma's resolution.
    case full
    /// Every pixel as it is.
    case lossless

    /// Pixels of a side up to which a picture is an icon.
    static let iconSide = 64
    /// Colours up to which a picture is a drawing.
    static let fewColors = 256
    /// Pixels up to which an icon or a drawing is kept as it is, where nothing had to be scaled.
    static let losslessPixels = 65_536

    /// Icons and drawings of few colours keep their colours, all others half of them.
    init(of picture: Picture, _ header: PictureHeader, target: (width: Int, height: Int)) {
        let isIcon = header.width <= Self.iconSide && header.height <= Self.iconSide
        guard isIcon ? !picture.hasHalvedColors : picture.hasFewColors else {
            self = .halved
            return
        }
        let isAsLarge = target.width == header.uprightWidth && target.height == header.uprightHeight
        self = isAsLarge && target.width * target.height <= Self.losslessPixels ? .lossless : .full
    }
}

extension Picture {
    /// Whether the file itself has colours at less than luma's resolution, or none.
    fileprivate var hasHalvedColors: Bool {
        switch self {
        case .grey: true
        case .ycc(let luma, let blue, _): blue.width < luma.width || blue.height < luma.height
        case .packed: false
        }
    }

    /// Whether pixels at even distances, some ten thousand, show at most ``ColorDetail/fewColors`` colours. Those of a
    /// photograph are too many within a few rows. JPEG's are never few.
    fileprivate var hasFewColors: Bool {
        guard case .packed(let samples) = self, samples.layout != .invertedCMYK else { return false }
        let stepX = max(1, samples.width / 128), stepY = max(1, samples.height / 128)
        return samples.bytes.withUnsafeBytes { bytes in
            var colors: Set<UInt32> = []
            var last: UInt32?
            for y in stride(from: 0, to: samples.height, by: stepY) {
                for x in stride(from: 0, to: samples.width, by: stepX) {
                    let color = bytes.loadUnaligned(fromByteOffset: y * samples.stride + x * 4, as: UInt32.self)
                    if color == last { continue }
                    last = color
                    if colors.insert(color).inserted, colors.count > ColorDetail.fewColors { return false }
                }
            }
            return true
        }
    }
}
