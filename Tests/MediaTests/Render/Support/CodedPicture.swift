import TestSupport

/// Pictures coded by x265 and aom, without a container. ``HEIFFile`` puts them into files.
struct CodedPicture {
    /// The property that a decoder needs: hvcC or av1C.
    let configuration: [UInt8]
    let data: [UInt8]

    private init(_ name: String, _ configuration: String, _ data: String) {
        self.configuration = Fixture.bytes("\(name).\(configuration)")
        self.data = Fixture.bytes("\(name).\(data)")
    }

    enum HEVC {
        /// 120 x 80 quadrants, 8 bits, 4:2:0.
        static let quadrants = CodedPicture("quadrants", "hvcc", "hevc")

        /// The same in 10 bits.
        static let deep = CodedPicture("deep", "hvcc", "hevc")

        /// The same in 4:4:4.
        static let full = CodedPicture("full", "hvcc", "hevc")

        /// 64 x 64 quadrants.
        static let tile = CodedPicture("tile", "hvcc", "hevc")

        /// 120 x 80, the left half opaque: luma alone.
        static let alpha = CodedPicture("alpha", "hvcc", "hevc")

        /// 120 x 80 quadrants with noise, so that a share of the bytes is the same share of the rows.
        static let noisy = CodedPicture("noisy", "hvcc", "hevc")
    }

    enum AV1 {
        /// 120 x 80 quadrants, 8 bits, 4:2:0.
        static let quadrants = CodedPicture("quadrants", "av1c", "av1")

        /// The same in 10 bits.
        static let deep = CodedPicture("deep", "av1c", "av1")

        /// The same in limited range by BT.709.
        static let limited = CodedPicture("limited", "av1c", "av1")

        /// The luma of the quadrants.
        static let grey = CodedPicture("grey", "av1c", "av1")

        /// 64 x 64 quadrants.
        static let tile = CodedPicture("tile", "av1c", "av1")

        /// 120 x 80, the left half opaque: luma alone.
        static let alpha = CodedPicture("alpha", "av1c", "av1")

        /// 120 x 80 quadrants with noise, so that a share of the bytes is the same share of the rows.
        static let noisy = CodedPicture("noisy", "av1c", "av1")
    }
}
