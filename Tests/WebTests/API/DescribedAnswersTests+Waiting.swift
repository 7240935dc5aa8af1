import Catalog
import Demo
import Gallery
import JSON
import ServerFixtures
import TestSupport
import Testing
import Web

extension DescribedAnswersTests {
    static let renditions = ["thumbnail", "image", "original", "video"]

    /// Pictures of a host that rests, and of one that never answers.
    func waitInVain(_ description: APIDescription) async throws {
        var settings = Settings(
            publicDirectory: LookaheadProcess.publicDirectory,
            renderCommand: [LookaheadProcess.executable, "media-worker"])
        settings.port = 0
        var resting = settings
        resting.allowedOrigins = ["127.0.0.1:1"]
        (resting.pool.hosts.breaker.failures, resting.pool.hosts.breaker.pause) = (1, 120_000)
        let restingServer = try GalleryServer(settings: resting)
        let restingPort = try await restingServer.start()
        let unreachable = #"{"items":[{"url":"http://127.0.0.1:1/a.jpg"}]}"#
        let gallery = try description.call("POST", Self.galleries, port: restingPort, body: unreachable)
        let names = ["g": gallery.json["id"]?.string ?? "", "i": "0"]
        for kind in Self.renditions {
            let answer = try description.call("GET", "\(Self.item)/\(kind)", names, port: restingPort)
            #expect(answer.status == 503)
            #expect(answer.header("retry-after").flatMap { Int($0) }.map { (60...150).contains($0) } == true)
        }

        await restingServer.shutdown()

        let origin = DemoOrigin(conditions: DemoOrigin.Conditions(latency: 60_000))
        let originPort = try origin.start()
        settings.responseDeadline = .milliseconds(100)
        settings.allowedOrigins = ["127.0.0.1:\(originPort)"]
        let server = try GalleryServer(settings: settings)
        try server.galleries.add(DemoCatalog(itemCount: 9, origin: "http://127.0.0.1:\(originPort)"), id: "slow")
        let port = try await server.start()
        for kind in Self.renditions {
            let answer = try description.call("GET", "\(Self.item)/\(kind)", ["g": "slow", "i": "0"], port: port)
            #expect(answer.status == 504)
        }
        // The wait is given up, where it was begun at all.
        try await origin.waitForLog { $0.open == 0 && $0.aborted == $0.requests }
        await server.shutdown()
        await origin.stop()
    }

    /// Originals and videos, whole and in parts.
    func play(_ description: APIDescription) async throws {
        let folder = try TemporaryFolder()
        let photo = Picture.motionPhoto(Picture.jpeg(40, 30), film: Movie().bytes)
        try folder.write("pictures/1.jpg", photo)
        try folder.write("pictures/2.jpg", photo + [UInt8](repeating: 0, count: 100_000))
        let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures", "--max-bytes", "100000"])
        defer { server.stop() }
        for kind in ["original", "video"] {
            for (item, range, status) in [
                ("0", "", 200), ("0", "bytes=2-5", 206), ("0", "bytes=9999999-", 416), ("1", "", 422),
            ] {
                let headers = range.isEmpty ? "" : "Range: \(range)\r\n"
                let answer = try description.call(
                    "GET", "\(Self.item)/\(kind)", ["g": "pictures", "i": item], port: server.port, headers: headers)
                #expect(answer.status == status, "\(kind) \(range)")
            }
        }
    }

    /// A layout of pictures whose shapes are found out only by rendering them.
    func learnShapes(_ description: APIDescription) async throws {
        let folder = try TemporaryFolder()
        for number in 0..<6 {
            try folder.write("pictures/\(number).jpg", Picture.hidingItsSize(Picture.jpeg(200, 300)))
        }
        let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
        defer { server.stop() }
        let rows =
            #"{"gallery":"pictures","viewport":{"width":600,"height":600},"layout":{"kind":"justified","rowHeight":180}}"#
        let session = try open(description, server.port, rows)
        let justified = try EventReader(server.port, "\(Self.sessions)/\(session)/events")
        try description.hear(["layout"], justified)
    }
}
