import Glibc

/// What the system says of a process: proc(5).
public struct ProcessFigures: Sendable {
    /// CPU time so far, user and system.
    public var seconds = 0.0
    /// The most resident memory so far, bytes.
    public var peakMemory = 0

    /// Zeros for a process that is gone.
    public init(_ id: Int32) {
        // The 14th and 15th field are user and system time in ticks; the name before may hold anything but is in brackets.
        let fields = (Self.text(id, "stat").split(separator: ")").last ?? "").split(separator: " ")
        if fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) {
            seconds = (user + system) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        }
        let line = Self.text(id, "status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
        if words.count > 1, let kilobytes = Int(words[1]) { peakMemory = kilobytes << 10 }
    }

    private static func text(_ id: Int32, _ name: String) -> String {
        guard let file = fopen("/proc/\(id)/\(name)", "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
