import Foundation

extension Movie {
    /// A film of 64 x 48 pixels, H.264, in four quadrants: red and green above blue and yellow. The film data is before the
    /// header.
    public static let quadrants = [UInt8](
        Data(
            base64Encoded: """
                AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAAAIZnJlZQAAAwRtZGF0AAACogYF//+e3EXpvebZSLeWLNgg2SPu73gyNjQg
                LSBjb3JlIDE2NSAtIEguMjY0L01QRUctNCBBVkMgY29kZWMgLSBDb3B5bGVmdCAyMDAzLTIwMjUgLSBodHRwOi8vd3d3LnZpZGVvbGFu
                Lm9yZy94MjY0Lmh0bWwgLSBvcHRpb25zOiBjYWJhYz0xIHJlZj0xNiBkZWJsb2NrPTE6MDowIGFuYWx5c2U9MHgzOjB4MTMzIG1lPXVt
                aCBzdWJtZT0xMCBwc3k9MSBwc3lfcmQ9MS4wMDowLjAwIG1peGVkX3JlZj0xIG1lX3JhbmdlPTI0IGNocm9tYV9tZT0xIHRyZWxsaXM9
                MiA4eDhkY3Q9MSBjcW09MCBkZWFkem9uZT0yMSwxMSBmYXN0X3Bza2lwPTEgY2hyb21hX3FwX29mZnNldD0tMiB0aHJlYWRzPTEgbG9v
                a2FoZWFkX3RocmVhZHM9MSBzbGljZWRfdGhyZWFkcz0wIG5yPTAgZGVjaW1hdGU9MSBpbnRlcmxhY2VkPTAgYmx1cmF5X2NvbXBhdD0w
                IGNvbnN0cmFpbmVkX2ludHJhPTAgYmZyYW1lcz04IGJfcHlyYW1pZD0yIGJfYWRhcHQ9MiBiX2JpYXM9MCBkaXJlY3Q9MyB3ZWlnaHRi
                PTEgb3Blbl9nb3A9MCB3ZWlnaHRwPTIga2V5aW50PTI1MCBrZXlpbnRfbWluPTEwIHNjZW5lY3V0PTQwIGludHJhX3JlZnJlc2g9MCBy
                Y19sb29rYWhlYWQ9NjAgcmM9Y3JmIG1idHJlZT0xIGNyZj0zMC4wIHFjb21wPTAuNjAgcXBtaW49MCBxcG1heD02OSBxcHN0ZXA9NCBp
                cF9yYXRpbz0xLjQwIGFxPTE6MS4wMACAAAAARGWIgQAHf/7Cf+ZY0dJVju33fQZDhBsoruxNwufoP/9MgANzteGOB63/ApcUlZwfZavk
                BWGFpHh+UuVvBWQHgryRdZ3BAAAACkGaCC2Ib//6abAAAAMjbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAAAMgAAQAAAQAAAAAA
                AAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAk10cmFr
                AAAAXHRraGQAAAADAAAAAAAAAAAAAAABAAAAAAAAAMgAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAA
                AABAAAAAAEAAAAAwAAAAAAAkZWR0cwAAABxlbHN0AAAAAAAAAAEAAADIAAAAAAABAAAAAAHFbWRpYQAAACBtZGhkAAAAAAAAAAAAAAAA
                AAAoAAAACABVxAAAAAAALWhkbHIAAAAAAAAAAHZpZGUAAAAAAAAAAAAAAABWaWRlb0hhbmRsZXIAAAABcG1pbmYAAAAUdm1oZAAAAAEA
                AAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAATBzdGJsAAAAsHN0c2QAAAAAAAAAAQAAAKBhdmMxAAAA
                AAAAAAEAAAAAAAAAAAAAAAAAAAAAAEAAMABIAAAASAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAA
                NmF2Y0MBZAAK/+EAGGdkAAqscgREehAAAAMAEAAAAwFA8SJYRgEAB2joQ4RLIsD9+PgAAAAAFGJ0cnQAAAAAAAB3YAAAAAAAAAAYc3R0
                cwAAAAAAAAABAAAAAgAABAAAAAAUc3RzcwAAAAAAAAABAAAAAQAAABxzdHNjAAAAAAAAAAEAAAABAAAAAgAAAAEAAAAcc3RzegAAAAAA
                AAAAAAAAAgAAAu4AAAAOAAAAFHN0Y28AAAAAAAAAAQAAADAAAABidWR0YQAAAFptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABtZGlyYXBw
                bAAAAAAAAAAAAAAAAC1pbHN0AAAAJal0b28AAAAdZGF0YQAAAAEAAAAATGF2ZjYyLjEyLjEwMg==
                """, options: .ignoreUnknownCharacters) ?? Data())

    /// Returns ``quadrants`` to be displayed after `quarters` quarter turns to the right.
    public static func quadrants(turned quarters: Int) -> [UInt8] {
        let (cosine, sine) = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters & 3]
        let matrix = [cosine, sine, 0, -sine, cosine, 0, 0, 0, 1 << 14].flatMap { value in
            [8, 0, -8, -16].map { UInt8(truncatingIfNeeded: $0 >= 0 ? value >> $0 : value << -$0) }
        }
        var bytes = quadrants
        if let header = bytes.firstRange(of: Array("tkhd".utf8)) {
            let start = header.upperBound + 40
            bytes.replaceSubrange(start..<start + 36, with: matrix)
        }
        return bytes
    }

    /// Returns ``quadrants`` slowed down by `factor`. The original takes 200 ms.
    public static func quadrants(slowed factor: Int) -> [UInt8] {
        var bytes = quadrants
        // Time units per second of the film and of its track.
        for (box, units) in [("mvhd", 1000), ("mdhd", 10_240)] {
            guard let header = bytes.firstRange(of: Array(box.utf8)) else { return [] }
            let start = header.upperBound + 12
            let slower = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (units / factor) >> $0) }
            bytes.replaceSubrange(start..<start + 4, with: slower)
        }
        return bytes
    }

    /// Returns ``quadrants`` with `count` empty bytes between film and header.
    public static func quadrants(apart count: Int) -> [UInt8] {
        guard let header = quadrants.firstRange(of: Array("moov".utf8)) else { return [] }
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (count + 8) >> $0) }
        return quadrants[..<(header.lowerBound - 4)] + length + Array("free".utf8)
            + [UInt8](repeating: 0, count: count) + quadrants[(header.lowerBound - 4)...]
    }
}
