import Glibc

/// The system's figures of a process: proc(5).
public struct ProcessFigures: Sendable {
    /// CPU time so far, user and system.
    public var seconds = 0.0
    /// Resident memory of its own, without shared files, and the most resident memory of any kind so far, bytes.
    public var memory = 0, peakMemory = 0
    public var threads = 0
    /// Open file descriptors.
    public var descriptors = 0

    /// Zeros for a process that is gone.
    public init(_ id: Int32) {
        let fields = Self.fields("/proc/\(id)/stat")
        seconds = Self.seconds(fields)
        if fields.count > 17 { threads = Int(fields[17]) ?? 0 }
        for line in Self.text("/proc/\(id)/status").split(separator: "\n") {
            if line.hasPrefix("RssAnon:") { memory = Self.bytes(line) }
            if line.hasPrefix("VmHWM:") { peakMemory = Self.bytes(line) }
        }
        // Without the one that reads the folder.
        descriptors = max(0, Self.names("/proc/\(id)/fd").count - (id == getpid() ? 1 : 0))
    }

    /// CPU time so far of one thread, by its name; 0 where there is none.
    public static func seconds(ofThread name: String, in id: Int32) -> Double {
        for thread in names("/proc/\(id)/task") {
            let file = "/proc/\(id)/task/\(thread)/stat"
            if text(file).contains("(\(name))") { return seconds(fields(file)) }
        }
        return 0
    }

    /// The processes that it has started and that are not reaped yet.
    public static func children(of id: Int32) -> [Int32] {
        names("/proc").compactMap { Int32($0) }.filter { process in
            let fields = fields("/proc/\(process)/stat")
            return fields.count > 1 && Int32(fields[1]) == id
        }
    }

    /// The fields behind the process's name, which may hold anything but is in brackets.
    private static func fields(_ stat: String) -> [Substring] {
        (text(stat).split(separator: ")").last ?? "").split(separator: " ")
    }

    /// User and system time, in ticks, come 12 and 13 fields after the name.
    private static func seconds(_ fields: [Substring]) -> Double {
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }

    /// Of a line such as `VmHWM:  1234 kB`.
    private static func bytes(_ line: Substring) -> Int {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return words.count > 1 ? (Int(words[1]) ?? 0) << 10 : 0
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    private static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
