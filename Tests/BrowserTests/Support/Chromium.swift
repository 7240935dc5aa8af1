import JSON
import TestSupport

/// A headless Chromium behind a chromedriver.
final class Chromium: Driver {
    private let driver: Child
    private let port: UInt16
    private let session: String

    init(width: Int, height: Int) async throws {
        (driver, port) = try await Self.start()
        let arguments: [JSON] = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", .string("--window-size=\(width),\(height)"),
        ]
        let wishes: JSON = [
            "capabilities": [
                "alwaysMatch": ["goog:chromeOptions": ["args": .array(arguments)], "timeouts": ["script": 90_000]]
            ]
        ]
        let answer = try await Self.call(port, "POST", "/session", wishes)
        session = answer["sessionId"]?.string ?? ""
    }

    /// Two drivers that start at once may pick the same port, and one of them gives up: it then tries again.
    private static func start(attempts: Int = 3) async throws -> (Child, UInt16) {
        let driver = try Child(Executable.find("chromedriver"), ["--port=0"])
        do {
            return (driver, try await driver.port(after: "successfully on port"))
        } catch {
            driver.stop()
            guard attempts > 1 else { throw error }
            return try await start(attempts: attempts - 1)
        }
    }

    func perform(_ command: Command, _ parameters: JSON) async throws -> JSON {
        try await Self.call(
            port, command.method, "/session/\(session)/\(command.path)", command.method == "POST" ? parameters : nil)
    }

    func quit() async {
        _ = try? await Self.call(port, "DELETE", "/session/\(session)", nil)
        driver.stop()
    }

    var processIdentifier: Int32 {
        get async throws {
            let answer = try await perform(.devtools, ["cmd": "SystemInfo.getProcessInfo", "params": [:]])
            let browser = answer["processInfo"]?.array?.first { $0["type"]?.string == "browser" }
            return Int32(browser?["id"]?.integer ?? -1)
        }
    }

    private static func call(_ port: UInt16, _ method: String, _ path: String, _ body: JSON?) async throws -> JSON {
        let answer = try await TestClient.exchange(method, port: port, path: path, body: body, patience: 120)
        let value = answer.json["value"] ?? .null
        guard answer.status == 200 else {
            throw TestClient.Failure(
                what: "\(method) \(path): \(value["message"]?.string ?? "status \(answer.status)")")
        }
        return value
    }
}
