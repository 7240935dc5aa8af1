// Makes the thumbnails of a folder of JPEG files with libvips and prints what they cost:
//
//     vips-thumbnails FOLDER WIDTH ROUNDS OUTPUT
//
// One line of JSON a set (the part of a file's name before its last "_"): CPU milliseconds a picture, the best of the rounds.
import CVips
import Foundation

func cpuMilliseconds() -> Double {
    // All threads: libvips keeps some of its own even when told to use one.
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

func thumbnail(_ bytes: [UInt8], _ width: Int32) -> [UInt8]? {
    var length = 0
    guard let output = peer_vips_thumbnail(bytes, bytes.count, width, &length) else { return nil }
    defer { g_free(output) }
    return [UInt8](UnsafeRawBufferPointer(start: output, count: length))
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let width = Int32(arguments[2]), let rounds = Int(arguments[3]), peer_vips_start() == 0
else {
    FileHandle.standardError.write(Data("usage: vips-thumbnails FOLDER WIDTH ROUNDS OUTPUT\n".utf8))
    exit(64)
}
let (folder, output) = (arguments[1], arguments[4])
try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
var sets: [String: [(name: String, bytes: [UInt8])]] = [:]
for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".jpg") {
    guard let mark = name.lastIndex(of: "_"), let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
    else {
        continue
    }
    sets[String(name[..<mark]), default: []].append((name, Array(data)))
}
for (set, files) in sets.sorted(by: { $0.key < $1.key }) {
    var best = Double.infinity
    for round in 0..<max(1, rounds) {
        let start = cpuMilliseconds()
        var thumbnails: [[UInt8]?] = []
        for file in files { thumbnails.append(thumbnail(file.bytes, width)) }
        best = min(best, (cpuMilliseconds() - start) / Double(files.count))
        guard round == 0 else { continue }
        for (file, bytes) in zip(files, thumbnails) {
            guard let bytes else { continue }
            try Data(bytes).write(to: URL(fileURLWithPath: "\(output)/\(file.name)"))
        }
    }
    print("{\"engine\":\"libvips\",\"set\":\"\(set)\",\"cpuMilliseconds\":\(best)}")
}
