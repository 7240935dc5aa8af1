import Foundation

/// Memory of a process and all it has started, each page that several share counted by its share.
enum ProcessMemory {
    /// - Returns: bytes.
    static func proportional(of root: Int32) -> Int {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        var children: [Int32: [Int32]] = [:]
        for process in processes {
            // The parent is the second field after the name, which may hold anything, and ends with a parenthesis.
            guard let status = text("/proc/\(process)/stat"), let end = status.lastIndex(of: ")") else { continue }
            let fields = status[end...].split(separator: " ")
            if fields.count > 2, let parent = Int32(fields[2]) { children[parent, default: []].append(process) }
        }
        var sum = 0
        var waiting = [root]
        while let process = waiting.popLast() {
            waiting += children[process] ?? []
            let line = text("/proc/\(process)/smaps_rollup")?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
            sum += line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return sum * 1024
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
