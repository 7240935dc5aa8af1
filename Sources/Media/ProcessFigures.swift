import Glibc

/// Resource usage of a process, from proc(5).
public struct ProcessFigures: Sendable {
    /// CPU time used so far in seconds, user and system.
    public var seconds = 0.0
    /// Resident memory without shared files, and the highest resident memory of any kind so far, in bytes.
    public var memory = 0, peakMemory = 0
    public var threads = 0
    public var descriptors = 0

    /// All values are 0 if the process is gone.
    public init(_ id: Int32) {
        let fields = Self.fields("/proc/\(id)/stat")
        seconds = Self.seconds(fields)
        if fields.count > 17 { threads = Int(fields[17]) ?? 0 }
        for line in Self.text("/proc/\(id)/status").split(separator: "\n") {
            if line.hasPrefix("RssAnon:") { memory = Self.bytes(line) }
            if line.hasPrefix("VmHWM:") { peakMemory = Self.bytes(line) }
        }
        // Does not count the descriptor that reads the folder.
        descriptors = max(0, Self.names("/proc/\(id)/fd").count - (id == getpid() ? 1 : 0))
    }

    /// Returns the CPU time used so far by one thread, in seconds. 0 if there is no thread with this name.
    public static func seconds(ofThread name: String, in id: Int32) -> Double {
        for thread in names("/proc/\(id)/task") {
            let file = "/proc/\(id)/task/\(thread)/stat"
            if text(file).contains("(\(name))") { return seconds(fields(file)) }
        }
        return 0
    }

    /// Returns the child processes that are not reaped yet.
    public static func children(of id: Int32) -> [Int32] {
        names("/proc").compactMap { Int32($0) }.filter { process in
            let fields = fields("/proc/\(process)/stat")
            return fields.count > 1 && Int32(fields[1]) == id
        }
    }

    /// Returns the fields after the process's name. The name may contain any character, but is in parentheses.
    private static func fields(_ stat: String) -> [Substring] {
        (text(stat).split(separator: ")").last ?? "").split(separator: " ")
    }

    /// User and system time, in ticks, are the 12th and 13th field after the name.
    private static func seconds(_ fields: [Substring]) -> Double {
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }

    /// Parses a line such as `VmHWM:  1234 kB`.
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
