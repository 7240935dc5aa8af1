import Foundation
import Media
import Numbers
import Store
import Synchronization

/// A temporary folder for a store, removed with the fixture.
final class StoreFixture: Sendable {
    let path: String
    private let warnings = Mutex<[StoreWarning]>([])

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/thumbnails.sqlite" }
    var told: [StoreWarning] { warnings.withLock { $0 } }

    /// A store on this folder.
    func store(_ change: (inout StoreConfiguration) -> Void = { _ in }) -> ThumbnailStore {
        var configuration = StoreConfiguration(directory: path)
        change(&configuration)
        return ThumbnailStore(configuration) { [self] warning in warnings.withLock { $0.append(warning) } }
    }

    func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

    /// A distinct thumbnail for each number.
    static func thumbnail(_ number: Int, bytes count: Int = 1000) -> Thumbnail {
        var random = SeededRandom(seed: UInt64(truncatingIfNeeded: number))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: random.next()))
        }
        return Thumbnail(
            width: number + 1, height: 7, mediaType: "image/jpeg", bytes: bytes,
            thumbHash: [1, 2, UInt8(number & 0xFF)],
            sourceWidth: 4000, sourceHeight: 3000, small: [9, 9],
            version: number % 3 == 0
                ? nil
                : SourceVersion(
                    validators: Validators(etag: "\"\(number)\"", lastModified: number % 3 == 1 ? nil : "then"),
                    confirmed: 1e9 + Double(number) / 7, lifetime: number % 3 == 1 ? Double(number) : nil))
    }
}
