import Glibc

/// Tells how much memory this process has resident, from a file of proc(5) that is opened once: a sandboxed process opens
/// nothing more.
struct ResidentMemory {
    private let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)

    /// Bytes: the second number, in pages. 0 where it cannot be told.
    var bytes: Int {
        var text = [UInt8](repeating: 0, count: 128)
        let count = pread(file, &text, text.count, 0)
        let fields = text.prefix(max(0, count)).split(separator: 0x20)
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * Int(getpagesize())
    }
}
