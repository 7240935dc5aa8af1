import CZlib

/// Edits of encoded pictures.
enum Segments {
    /// Inserts a marker segment before a JPEG's others.
    static func insert(_ marker: UInt8, _ payload: [UInt8], intoJPEG jpeg: [UInt8]) -> [UInt8] {
        let length = payload.count + 2
        return Array(jpeg.prefix(2)) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
            + jpeg.dropFirst(2)
    }

    /// Removes a JPEG's marker segments of one kind.
    static func removing(_ marker: UInt8, fromJPEG jpeg: [UInt8]) -> [UInt8] {
        var result = Array(jpeg.prefix(2)), place = 2
        while place + 4 <= jpeg.count, jpeg[place] == 0xFF, jpeg[place + 1] != 0xDA {
            let length = 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
            if jpeg[place + 1] != marker { result += jpeg[place..<min(jpeg.count, place + length)] }
            place += length
        }
        return result + jpeg.dropFirst(place)
    }

    /// A TIFF with only an orientation.
    static func tiff(orientation: Int, bigEndian: Bool = true) -> [UInt8] {
        let magic: [UInt8] = bigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        return TIFFFile(magic: magic, directories: [[0x112: .shorts([orientation])]]).bytes
    }

    static func exif(_ jpeg: [UInt8], orientation: Int, bigEndian: Bool = true) -> [UInt8] {
        insert(
            0xE1, Array("Exif\0\0".utf8) + tiff(orientation: orientation, bigEndian: bigEndian), intoJPEG: jpeg)
    }

    static func profile(_ jpeg: [UInt8], _ profile: [UInt8]) -> [UInt8] {
        insert(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile, intoJPEG: jpeg)
    }

    /// Inserts a chunk after a PNG's IHDR.
    static func insert(_ type: String, _ payload: [UInt8], intoPNG png: [UInt8]) -> [UInt8] {
        Array(png.prefix(33)) + chunk(type, payload) + png.dropFirst(33)
    }

    static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + payload
        return bigEndian(payload.count) + body + bigEndian(Int(crc(body)))
    }

    static func bigEndian(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8((value >> (8 * $0)) & 255) } }
    static func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8((value >> (8 * $0)) & 255) }
    }

    /// W3C PNG, annex D.
    static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
        }
        return crc ^ 0xFFFF_FFFF
    }

    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (packed, count) = ([UInt8](repeating: 0, count: czlib_bound(bytes.count)), czlib_bound(bytes.count))
        precondition(czlib_compress(bytes, bytes.count, &packed, &count))
        return Array(packed.prefix(count))
    }

    /// zlib (RFC 1950) with its data stored uncompressed.
    static func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            result += littleEndian(block.count, 2) + littleEndian(~block.count & 0xFFFF, 2) + block
        } while !rest.isEmpty
        var a: UInt32 = 1, b: UInt32 = 0
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return result + bigEndian(Int(b << 16 | a))
    }

    /// A PNG with this size in its header and almost no data.
    static func emptyPNG(width: Int, height: Int, interlaced: Bool = false) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, interlaced ? 1 : 0])
            + chunk("IDAT", zlibStored([0])) + chunk("IEND", [])
    }
}
