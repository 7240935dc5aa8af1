import CImageCodecs
import Glibc

/// Converts pixels from their embedded profile to sRGB with lcms2. Creating a transform costs more than using it, and the pictures of a
/// gallery share a few profiles. Transforms are therefore cached. An instance belongs to one thread.
final class ColorProfiles {
    /// The transform of a profile for pixels of one layout.
    enum Conversion {
        /// sRGB under any name, or a profile that cannot be used.
        case none
        /// A transform of pixels, or of grey samples.
        case transform(cmsHTRANSFORM, takesGrey: Bool)
        case toneMap(ToneMap)
    }

    private enum Space: Hashable {
        case rgb, grey, cmyk

        var signature: cmsColorSpaceSignature {
            switch self {
            case .rgb: cmsSigRgbData
            case .grey: cmsSigGrayData
            case .cmyk: cmsSigCmykData
            }
        }

        var format: UInt32 {
            switch self {
            case .rgb: UInt32(ImageFormatRGBA8)
            case .grey: UInt32(ImageFormatGray8)
            case .cmyk: UInt32(ImageFormatInvertedCMYK8)
            }
        }
    }

    private struct Key: Hashable {
        let space: Space
        let profile: [UInt8]
    }

    private var known: [Key: cmsHTRANSFORM?] = [:]
    private var order: [Key] = []
    private static let maximum = 16

    deinit {
        for case .some(let transform) in known.values { cmsDeleteTransform(transform) }
    }

    /// Returns the conversion for a picture, from the colours named by its header or decoder. A transfer function of high dynamic range
    /// takes precedence over a profile.
    func conversion(
        _ bytes: [UInt8], _ header: PictureHeader, _ decoded: DecodedPicture, limits: RenderLimits
    ) -> Conversion {
        if let toneMap = ToneMap(transfer: header.transfer, primaries: header.primaries) { return .toneMap(toneMap) }
        guard max(header.profileBytes, decoded.profile?.count ?? 0) <= limits.maxProfileBytes,
            let profile = decoded.profile ?? Self.profile(bytes, header, limits)
        else { return .none }
        let spaces: [Space]
        switch decoded.picture {
        case .grey: spaces = [.grey, .rgb]
        case .packed(let samples) where samples.layout == .invertedCMYK: spaces = [.cmyk]
        default: spaces = [.rgb]
        }
        for space in spaces {
            if let transform = transform(Key(space: space, profile: profile)) {
                return .transform(transform, takesGrey: space == .grey)
            }
        }
        return .none
    }

    private static func profile(_ bytes: [UInt8], _ header: PictureHeader, _ limits: RenderLimits) -> [UInt8]? {
        if header.profile.isEmpty || header.kind == .png && header.primaries > 0 { return named[header.primaries] }
        if header.kind != .png { return header.profile.flatMap { bytes[$0] } }
        guard let data = header.profile.first else { return nil }
        let beginning = PNGChunks.profileOnly(bytes, data)
        var size = 0
        guard let profile = ImagePNGCopyProfile(beginning, beginning.count, limits.maxProfileBytes, &size) else {
            return nil
        }
        defer { free(profile) }
        return [UInt8](UnsafeBufferPointer(start: profile, count: size))
    }

    /// Profiles for primaries that a file only names, by their numbers in ITU-T H.273.
    private static let named: [Int: [UInt8]] = [
        // BT.2020.
        9: profile(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046)),
        // Display P3.
        12: profile(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060)),
    ].compactMapValues { $0 }

    /// Returns a profile with sRGB's curve and white.
    private static func profile(
        red: (Double, Double), green: (Double, Double), blue: (Double, Double)
    ) -> [UInt8]? {
        func point(_ place: (Double, Double)) -> cmsCIExyY { cmsCIExyY(x: place.0, y: place.1, Y: 1) }
        var white = point((0.3127, 0.3290))
        var primaries = cmsCIExyYTRIPLE(Red: point(red), Green: point(green), Blue: point(blue))
        let curve = cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        defer { cmsFreeToneCurve(curve) }
        guard let profile = cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve]) else { return nil }
        defer { cmsCloseProfile(profile) }
        var size: UInt32 = 0
        guard cmsSaveProfileToMem(profile, nil, &size) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        return cmsSaveProfileToMem(profile, &bytes, &size) != 0 ? bytes : nil
    }

    private func transform(_ key: Key) -> cmsHTRANSFORM? {
        if let known = known[key] { return known }
        let created = Self.make(key)
        if order.count >= Self.maximum {
            let oldest = order.removeFirst()
            if case .some(.some(let transform)) = known.removeValue(forKey: oldest) { cmsDeleteTransform(transform) }
        }
        known[key] = .some(created)
        order.append(key)
        return created
    }

    private static func make(_ key: Key) -> cmsHTRANSFORM? {
        guard let profile = cmsOpenProfileFromMem(key.profile, UInt32(clamping: key.profile.count)) else { return nil }
        defer { cmsCloseProfile(profile) }
        guard cmsGetColorSpace(profile) == key.space.signature, let sRGB = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(sRGB) }
        let output = UInt32(ImageFormatRGBA8)
        let flags = key.space == .rgb ? UInt32(cmsFLAGS_COPY_ALPHA) : 0
        guard
            let transform = cmsCreateTransform(
                profile, key.space.format, sRGB, output, UInt32(INTENT_PERCEPTUAL), flags)
        else { return nil }
        if changesNothing(transform, key.space) {
            cmsDeleteTransform(transform)
            return nil
        }
        return transform
    }

    /// Whether a grid of colours stays the same except for rounding. Profile names do not identify sRGB reliably.
    private static func changesNothing(_ transform: cmsHTRANSFORM, _ space: Space) -> Bool {
        guard space != .cmyk else { return false }
        let levels: [UInt8] = [0, 16, 64, 128, 192, 255]
        var input: [UInt8] = [], expected: [UInt8] = []
        if space == .grey {
            input = levels
            expected = levels.flatMap { [$0, $0, $0, 255] }
        } else {
            for r in levels { for g in levels { for b in levels { input += [r, g, b, 255] } } }
            expected = input
        }
        var output = [UInt8](repeating: 255, count: expected.count)
        cmsDoTransform(transform, input, &output, UInt32(expected.count / 4))
        return zip(output, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
    }

    /// Converts pixels, or a grey plane, to sRGB pixels.
    func convert(_ samples: Samples, by transform: cmsHTRANSFORM) -> Samples {
        var bytes = [UInt8](repeating: 255, count: samples.width * samples.height * 4)
        samples.bytes.withUnsafeBufferPointer { input in
            bytes.withUnsafeMutableBufferPointer { output in
                guard let input = input.baseAddress, let output = output.baseAddress else { return }
                for row in 0..<samples.height {
                    cmsDoTransform(
                        transform, input + row * samples.stride, output + row * samples.width * 4, UInt32(samples.width)
                    )
                }
            }
        }
        let layout: Samples.Layout = samples.layout == .rgba ? .rgba : .rgbx
        return Samples(layout, width: samples.width, height: samples.height, bytes: bytes)
    }
}
