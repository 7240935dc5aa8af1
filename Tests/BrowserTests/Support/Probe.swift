import Foundation

/// The scripts in `Probe`, which tests call in the page: `probe.js` in each call, and a script such as `grid-probe.js` where a test calls
/// a function of its object, `gridProbe`.
enum Probe {
    private static let folder = URL(fileURLWithPath: #filePath + "/../../Probe").standardized

    private static let common = source("probe")

    /// The sources of the other scripts, by their objects.
    private static let others: [String: String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let names = files.filter { $0.hasSuffix("-probe.js") }.map { $0.dropLast("-probe.js".count) }
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                let words = name.split(separator: "-")
                let object = words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalized } + "Probe"
                return (object, source("\(name)-probe"))
            })
    }()

    private static func source(_ name: String) -> String {
        // Ends with a semicolon, because a test's own script may begin with a bracket.
        let file = folder.appendingPathComponent("\(name).js")
        let source = try? String(contentsOf: file, encoding: .utf8)
        return (source ?? "throw new Error('\(file.path) is missing')") + ";\n"
    }

    /// Returns `body` after the scripts that it calls.
    static func script(_ body: String) -> String {
        common + others.filter { body.contains($0.key + ".") }.map(\.value).joined() + body
    }
}
