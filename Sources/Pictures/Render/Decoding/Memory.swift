import Glibc
import PhotoFacts

/// Swift ends the process when an array finds no memory; a picture must not. Within a process that has an address space
/// limit, a picture's memory is asked for first.
enum Memory {
    /// - Throws: ``RenderError/overLimit(_:)`` when `bytes` cannot be had now.
    static func expect(_ bytes: Int) throws(RenderError) {
        // Small amounts are as good as had, and not worth asking for.
        guard bytes > 8 << 20 else { return }
        // Not malloc: an allocation that is only freed again is optimised away.
        guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else {
            throw .overLimit("not enough memory: the picture needs \(bytes >> 20) MB")
        }
        munmap(memory, bytes)
    }
}
