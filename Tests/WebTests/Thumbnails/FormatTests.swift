import CImageCodecs
import Foundation
import Media
import TestSupport
import Testing

/// Formats that browsers cannot show are converted, and their originals are served unchanged.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct FormatTests {
    /// 120 x 80 pixels by x265: red, green over blue, yellow.
    private static let heic = Fixture.bytes("quadrants.heic")

    /// A Fujifilm RAW file: a preview, then sensor data.
    static func raf(sensor count: Int) -> [UInt8] {
        let jpeg = Picture.jpeg(300, 200)
        func big(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (8 * $0) & 255) } }
        let name = Array("FUJIFILMCCD-RAW ".utf8)
        let head = name + [UInt8](repeating: 0, count: 84 - name.count) + big(92) + big(jpeg.count)
        return head + jpeg + [UInt8](repeating: 1, count: count)
    }

    @Test("HEIC and RAW files and videos have thumbnails, renditions and originals")
    func folder() async throws {
        var files = [("b.raf", "image/x-dcraw", Self.raf(sensor: 200_000))]
        if PictureKind.video.isBuiltIn { files.append(("c.mov", "video/mp4", Movie.quadrants(apart: 100_000))) }
        if PictureKind.heic.isBuiltIn { files.insert(("a.heic", "image/heic", Self.heic), at: 0) }
        // Less than the RAW file's size, because only its preview is read.
        let raw = "100000"
        let api = try await APIFixture(
            files: Dictionary(uniqueKeysWithValues: files.map { ($0.0, $0.2) }), ["--max-bytes", raw])
        for (index, (name, mediaType, bytes)) in files.enumerated() {
            for kind in ["thumbnail?width=64", "image?width=1600"] {
                let answer = try api.call("GET", "galleries/pictures/items/\(index)/\(kind)")
                // Pictures of few colours keep their format.
                let shown = ["image/jpeg", "image/png", "image/webp"].contains(answer.header("content-type"))
                #expect(answer.status == 200 && shown, "\(name) \(kind)")
                // "Save image as" offers this name.
                let ending = answer.header("content-type") == "image/webp" ? "webp" : "jpg"
                let saved = kind.hasPrefix("image") ? "inline; filename*=UTF-8''\(name.prefix(1)).\(ending)" : nil
                #expect(answer.header("content-disposition") == saved, "\(name) \(kind)")
            }
            let original = try api.call("GET", "galleries/pictures/items/\(index)/original")
            #expect(original.status == 200 && original.header("content-type") == mediaType, "\(name)")
            #expect(original.header("content-disposition") == "attachment; filename*=UTF-8''\(name)")
            #expect(original.body.count == bytes.count, "\(name)")
        }
    }
}
