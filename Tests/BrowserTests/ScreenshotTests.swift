import Foundation
import Testing

/// Makes the pictures of the README: `LOOKAHEAD_SCREENSHOTS=FOLDER swift test -c release --filter ScreenshotTests`.
private let folder = ProcessInfo.processInfo.environment["LOOKAHEAD_SCREENSHOTS"]

@Suite(.serialized, .enabled(if: folder != nil), .timeLimit(.minutes(3)))
struct ScreenshotTests {
    @Test("the gallery, part of the way down, in light and dark", arguments: ["light", "dark"])
    func gallery(scheme: String) async throws {
        let demo = try await Demo(items: 100_000)
        defer { demo.stop() }
        let browser = try await Browser(width: 1280, height: 900)
        try await browser.devtools(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .string(scheme)]]])
        try await browser.open(demo.address)
        try await browser.until("probe.filled()", "first pictures")
        try await browser.run("probe.scroller.scrollTop = 12000;")
        try await browser.until("probe.filled()", "pictures part of the way down")
        try await browser.wait("for (let i = 0; i < 40; i++) await probe.frame();")
        let picture = try await browser.screenshot()
        #expect(picture.count > 10_000)
        try FileManager.default.createDirectory(atPath: folder ?? "", withIntermediateDirectories: true)
        try picture.write(to: URL(fileURLWithPath: "\(folder ?? "")/gallery-\(scheme).png"))
        await browser.quit()
    }
}
