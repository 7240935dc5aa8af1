/// Creates identifiers that cannot be guessed.
package enum Identifier {
    /// Returns a random identifier, after the node's name and `-` if `node` is not `nil`.
    package static func random(bytes: Int, of node: String?) -> String {
        (node.map { "\($0)-" } ?? "") + random(bytes: bytes)
    }

    /// Returns `bytes` bytes from the system's secure generator as lower-case hexadecimal digits.
    package static func random(bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for _ in 0..<bytes {
            let byte = UInt8.random(in: 0...255, using: &generator)
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
