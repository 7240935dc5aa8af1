import Foundation
import Gallery
import Media
import TestSupport
import Testing
import Web

/// Messages of a starting server about the sandbox of its render workers.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SandboxStartTests {
    @Test("the log and the metrics report the layers of the sandbox")
    func report() async throws {
        let server = try await LookaheadProcess(["demo", "--items", "10", "--log-level", "info"])
        let layers = try TestClient(server.port).call("GET", "stats").json["render_sandbox"]?.array ?? []
        let names = layers.compactMap { $0["labels"]?["layer"]?.string }
        #expect(names == ["landlock", "seccomp", "no_new_privs"])
        let holds = layers.allSatisfy { $0["value"] == 1 }
        server.stop()
        let log = server.child.standardError()
        #expect(log.contains(holds ? "render workers are sandboxed" : "sandbox of the render workers is incomplete"))
    }

    @Test("a server that requires an unavailable sandbox does not start, and reports the reason")
    func required() async throws {
        var settings = Settings(publicDirectory: LookaheadProcess.publicDirectory, renderCommand: ["/bin/false"])
        settings.port = 0
        settings.requiresSandbox = true
        let server = try GalleryServer(settings: settings)
        let error = await #expect(throws: SettingError.self) { try await server.start() }
        #expect(error?.description.hasPrefix("--require-sandbox: ") == true)
        #expect(error?.description.contains("exit code 1") == true)
        await server.shutdown()
        settings.requiresSandbox = false
        let other = try GalleryServer(settings: settings)
        #expect(try await other.start() > 0)
        await other.shutdown()
    }
}
