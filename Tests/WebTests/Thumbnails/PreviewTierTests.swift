import Foundation
import JSON
import TestSupport
import Testing
import Thumbnails

@Suite(.timeLimit(.minutes(2)))
struct PreviewTierTests {
    /// A camera's file, padded to the size from which previews are used.
    private static func photograph(_ width: Int, _ height: Int, orientation: Int = 1, preview: [UInt8]? = nil)
        -> [UInt8]
    {
        var camera = CameraFile()
        camera.orientation = orientation
        camera.preview = preview ?? Picture.jpeg(160, 120)
        return camera.bytes(around: Picture.jpeg(width, height))
            + [UInt8](repeating: 0, count: PreviewReader.minimumBytes)
    }

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("pictures/0 lying.jpg", Self.photograph(800, 600))
        try folder.write("pictures/1 standing.jpg", Self.photograph(800, 600, orientation: 6))
        try folder.write("pictures/2 turned since.jpg", Self.photograph(600, 800))
        try folder.write(
            "pictures/3 broken preview.jpg", Self.photograph(800, 600, preview: [UInt8](repeating: 7, count: 900)))
        try folder.write("pictures/4 small file.jpg", Picture.jpeg(800, 600))
        let nothing = [UInt8](repeating: 0, count: PreviewReader.minimumBytes)
        try folder.write("pictures/5.raf", FormatTests.raf(sensor: nothing.count))
        // Previews made by a storage server. The second file is newer than its preview.
        for name in ["6.jpg", "7.jpg"] {
            try folder.write("pictures/\(name)", Picture.jpeg(800, 600) + nothing)
            try folder.write("pictures/@eaDir/\(name)/SYNOPHOTO_THUMB_M.jpg", Picture.jpeg(320, 240))
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
            ofItemAtPath: "\(folder.path)/pictures/@eaDir/7.jpg/SYNOPHOTO_THUMB_M.jpg")
        return folder
    }

    /// Events of all eight pictures, in the order of arrival for each.
    private func events(_ server: LookaheadProcess) throws -> [[JSON]] {
        let client = try TestClient(server.port)
        let answer = try client.call(
            "POST", "sessions",
            [
                "gallery": "pictures", "viewport": ["width": 1000, "height": 360],
                "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
            ])
        try #require(answer.status == 201, "\(answer.text)")
        let reader = try EventReader(server.port, try #require(answer.json["events"]?.string))
        var events = [[JSON]](repeating: [], count: 8)
        while !events.allSatisfy({ $0.last?["tier"] == "full" }) {
            let event = try reader.next()
            guard event.name == "thumbnail", let item = event.data["item"]?.integer else { continue }
            events[item].append(event.data)
        }
        return events
    }

    @Test(
        "a large file's preview is shown before its picture, and a stored picture is shown at once"
    )
    func previewFirst() async throws {
        let folder = try folder()
        // A preview is not sent once its picture is ready, which on a slow machine may be before the stream opens.
        let (server, cold) = try await eventually(
            "four previews before their pictures",
            of: {
                let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
                return (server, try events(server))
            },
            satisfies: { server, cold in
                let isWhole =
                    cold.map { $0.map { $0["tier"]?.string } } == [
                        ["preview", "full"], ["preview", "full"], ["full"], ["full"], ["full"], ["preview", "full"],
                        ["preview", "full"], ["full"],
                    ]
                if !isWhole { server.stop() }
                return isWhole
            })
        defer { server.stop() }
        for item in [0, 1, 5, 6] {
            for side in ["width", "height"] { #expect(cold[item][0][side] == cold[item][1][side], "\(item)") }
            #expect(cold[item][0]["thumbHash"]?.string?.isEmpty == false)
        }
        #expect(cold[0][0]["width"] == 256 && cold[1][0]["height"] == 341)
        let warm = try events(server)
        #expect(warm.map { $0.map { $0["tier"]?.string } } == [[String?]](repeating: ["full"], count: 8))
        // The store has the picture, not its preview.
        let kept = try TestClient(server.port).call("GET", "galleries/pictures/items/0/thumbnail?width=400")
        #expect(kept.status == 200 && kept.body.count > 1_000)
    }
}
