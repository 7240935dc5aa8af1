/// A picture's placeholder, shown before its thumbnail is there.
public struct Placeholder: Sendable, Equatable {
    /// 5 to 25 bytes; see ``ThumbHash``.
    public var thumbHash: [UInt8]
    /// See ``Thumbnail/isDamaged``.
    public var isDamaged: Bool

    public init(thumbHash: [UInt8], isDamaged: Bool = false) {
        self.thumbHash = thumbHash
        self.isDamaged = isDamaged
    }
}
