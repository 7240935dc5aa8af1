import Catalog
import JSON

extension Arrangement {
    /// The same for equal arrangements on any server, and another for others, as far as 64 bits tell them apart: FNV-1a of the
    /// arrangement as it is written in the API.
    package var fingerprint: String {
        var writer = JSONWriter()
        write(to: &writer)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in writer.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
