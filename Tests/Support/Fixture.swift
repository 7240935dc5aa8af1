import Foundation

/// Files that other programs made, in `Tests/Support/Fixtures`.
package enum Fixture {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    package static func bytes(_ name: String) -> [UInt8] {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
            preconditionFailure("there is no fixture \(name)")
        }
        return [UInt8](data)
    }
}
