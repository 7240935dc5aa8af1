import CImageCodecs
import Testing

/// ICC profiles by lcms2.
enum ICCProfile {
    /// Returns the bytes of a profile.
    static func bytes(_ make: () -> cmsHPROFILE?) throws -> [UInt8] {
        let profile = try #require(make())
        defer { cmsCloseProfile(profile) }
        var size: UInt32 = 0
        #expect(cmsSaveProfileToMem(profile, nil, &size) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        #expect(cmsSaveProfileToMem(profile, &bytes, &size) != 0)
        return bytes
    }

    /// Returns the bytes of a profile with white D65, sRGB's blue and one curve for all colours.
    static func rgb(red: (Double, Double), green: (Double, Double), curve: OpaquePointer?) throws -> [UInt8] {
        defer { cmsFreeToneCurve(curve) }
        return try bytes {
            var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
            var primaries = cmsCIExyYTRIPLE(
                Red: cmsCIExyY(x: red.0, y: red.1, Y: 1), Green: cmsCIExyY(x: green.0, y: green.1, Y: 1),
                Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
            return cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve])
        }
    }
}
