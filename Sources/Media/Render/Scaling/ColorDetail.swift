/// Colour resolution of a thumbnail. JPEG's usual half resolution is invisible in photographs, but turns a red and blue checkerboard
/// purple.
enum ColorDetail: Sendable, Equatable {
    /// Half of luma's resolution in both directions.
    case halved
    /// The same resolution as luma.
    case full
    /// Every pixel unchanged.
    case lossless

    /// Maximum side of an icon, in pixels.
    static let iconSide = 64
    /// Maximum number of colours of a drawing.
    static let fewColors = 256
    /// Maximum number of pixels of an icon or a drawing that is stored without loss. Only applies if the picture is not scaled.
    static let losslessPixels = 65_536

    /// Chooses full colours for icons and drawings with few colours, and half resolution for all other pictures.
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
    /// Whether the file itself has colours at less than luma's resolution, or no colours.
    fileprivate var hasHalvedColors: Bool {
        switch self {
        case .grey: true
        case .ycc(let luma, let blue, _): blue.width < luma.width || blue.height < luma.height
        case .packed: false
        }
    }

    /// Whether about ten thousand evenly spaced pixels have at most ``ColorDetail/fewColors`` colours. A photograph exceeds the limit
    /// within a few rows. Never true for pictures in JPEG's planes.
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
