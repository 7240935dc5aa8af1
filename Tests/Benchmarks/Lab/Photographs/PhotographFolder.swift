import Demo
import Foundation
import Terminal
import TestSupport

/// A folder of files as a camera of 12 megapixels writes them: about 4 MB each, a preview in their EXIF. Painted once, and kept
/// among the temporary files. There are more names than pictures: a server cannot tell.
struct PhotographFolder {
    /// Pictures that are painted.
    static let pictures = 8
    /// Of the painting; another whenever it changes.
    private static let version = 1

    let path: String
    /// The files that are painted, each under its only name outside the folder.
    let originals: [String]
    /// Bytes of a file, on average.
    let meanBytes: Int

    /// - Parameters:
    ///   - files: names in the folder.
    ///   - onPicture: told of each picture that is painted or found.
    init(files: Int, onPicture: () -> Void) throws {
        let root = NSTemporaryDirectory() + "lookahead-photographs-\(Self.version)"
        path = "\(root)/\(files)/photographs"
        let manager = FileManager.default
        try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        originals = (0..<Self.pictures).map { "\(root)/\($0).jpg" }
        var bytes = 0
        for (number, picture) in originals.enumerated() {
            if manager.contents(atPath: picture) == nil {
                try Data(try Self.paint(number)).write(to: URL(fileURLWithPath: picture), options: .atomic)
            }
            bytes += try manager.attributesOfItem(atPath: picture)[.size] as? Int ?? 0
            onPicture()
        }
        meanBytes = bytes / Self.pictures
        for number in 0..<files {
            let name = "\(path)/IMG_\(10_000 + number).jpg"
            if manager.fileExists(atPath: name) { continue }
            try manager.linkItem(atPath: "\(root)/\(number % Self.pictures).jpg", toPath: name)
        }
    }

    private static func paint(_ number: Int) throws -> [UInt8] {
        let text = "photograph \(number)"
        guard let picture = DemoPicture(width: 4000, height: 3000, text: text),
            let preview = DemoPicture(width: 160, height: 120, text: text)?.jpeg()
        else { throw CommandFailure("cannot paint a photograph") }
        var pixels = picture.pixels()
        BenchCorpus.addNoise(to: &pixels, sigma: 9, seed: UInt64(number))
        guard let jpeg = DemoPicture.encode(pixels, width: 4000, height: 3000, quality: 88) else {
            throw CommandFailure("cannot encode a photograph")
        }
        var camera = CameraFile()
        camera.preview = preview
        return camera.bytes(around: jpeg)
    }
}
