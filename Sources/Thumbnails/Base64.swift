/// Base64 (RFC 4648, section 4), appended directly to a buffer, so that an event's data needs no intermediate string.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let length = (bytes.count + 2) / 3 * 4
        text.append(
            contentsOf: [UInt8](unsafeUninitializedCapacity: length) { output, count in
                alphabet.withUnsafeBufferPointer { alphabet in
                    bytes.withUnsafeBufferPointer { input in encode(input, into: output, alphabet) }
                }
                count = length
            })
    }

    private static func encode(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>,
        _ alphabet: UnsafeBufferPointer<UInt8>
    ) {
        var target = 0
        var source = 0
        while source < input.count {
            let second = source + 1 < input.count ? input[source + 1] : 0
            let third = source + 2 < input.count ? input[source + 2] : 0
            let bits = UInt32(input[source]) << 16 | UInt32(second) << 8 | UInt32(third)
            output[target] = alphabet[Int(bits >> 18)]
            output[target + 1] = alphabet[Int(bits >> 12 & 63)]
            output[target + 2] = source + 1 < input.count ? alphabet[Int(bits >> 6 & 63)] : UInt8(ascii: "=")
            output[target + 3] = source + 2 < input.count ? alphabet[Int(bits & 63)] : UInt8(ascii: "=")
            source += 3
            target += 4
        }
    }

    package static func string(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
