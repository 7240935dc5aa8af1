import CImageCodecs

/// Real picture files, created by a real encoder.
package enum Picture {
    package static func jpeg(_ width: Int, _ height: Int, red: UInt8 = 200, green: UInt8 = 80, blue: UInt8 = 40)
        -> [UInt8]
    {
        var pixels: [UInt8] = []
        for _ in 0..<(width * height) { pixels += [red, green, blue] }
        let encoder = tjInitCompress()
        defer { tjDestroy(encoder) }
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        guard
            tjCompress2(
                encoder, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &output, &size,
                Int32(TJSAMP_420.rawValue), 85, 0) == 0
        else { return [] }
        defer { tjFree(output) }
        return Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }

    /// Returns a JPEG with a film appended, as Google's cameras write it.
    package static func motionPhoto(_ jpeg: [UInt8], film: [UInt8]) -> [UInt8] {
        let packet =
            #"http://ns.adobe.com/xap/1.0/\#0<x GCamera:MicroVideo="1" GCamera:MicroVideoOffset="\#(film.count)"/>"#
        let length = packet.utf8.count + 2
        return Array(jpeg.prefix(2)) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array(packet.utf8)
            + jpeg.dropFirst(2) + film
    }

    /// Returns a JPEG whose size is so far from the start that only a full decode finds it.
    package static func hidingItsSize(_ jpeg: [UInt8]) -> [UInt8] {
        // Each comment is longer than a read chunk, and there are more comments than chunks that are read.
        let comment: [UInt8] = [0xFF, 0xFE, 0x14, 0x02] + [UInt8](repeating: 0x20, count: 0x1400)
        return Array(jpeg.prefix(2)) + Array(repeating: comment, count: 60).joined() + jpeg.dropFirst(2)
    }
}
