import JSON
import TestSupport

/// A headless Chromium behind a chromedriver.
final class Chromium: Driver {
    private let driver: Child
    private let port: UInt16
    private let session: String

    /// - Parameter tracing: whether the main thread's work is written down from the start, to be read as a log.
    init(width: Int, height: Int, tracing: Bool = false) async throws {
        let arguments: [JSON] = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", .string("--window-size=\(width),\(height)"),
        ]
        var options: JSONObject = ["args": .array(arguments)]
        var logs: JSONObject = ["browser": "ALL"]
        var wishes: JSONObject = ["timeouts": ["script": 600_000]]
        if tracing {
            options["perfLoggingPrefs"] = [
                "enableNetwork": false, "enablePage": false,
                "traceCategories": "devtools.timeline,disabled-by-default-devtools.timeline",
            ]
            logs["performance"] = "ALL"
        }
        wishes["goog:loggingPrefs"] = .object(logs)
        wishes["goog:chromeOptions"] = .object(options)
        let answer: JSON
        (driver, port, answer) = try await Self.start(.object(wishes))
        session = answer["sessionId"]?.string ?? ""
    }

    /// Two drivers that start at once may pick the same port, and one of them gives up; a browser may take too long to
    /// start on a machine that is busy. It is then tried again.
    private static func start(_ wishes: JSON, attempts: Int = 3) async throws -> (Child, UInt16, JSON) {
        let driver = try Child(Executable.find("chromedriver"), ["--port=0"])
        do {
            let port = try await driver.port(after: "successfully on port")
            return (driver, port, try await call(port, "POST", "/session", ["capabilities": ["alwaysMatch": wishes]]))
        } catch {
            driver.stop()
            guard attempts > 1 else { throw error }
            return try await start(wishes, attempts: attempts - 1)
        }
    }

    func perform(_ command: Command, _ parameters: JSON) async throws -> JSON {
        try await Self.call(
            port, command.method, "/session/\(session)/\(command.path)", command.method == "POST" ? parameters : nil)
    }

    func forget() async throws {
        for method in ["Network.clearBrowserCookies", "Network.clearBrowserCache", "Browser.resetPermissions"] {
            _ = try await perform(.devtools, ["cmd": .string(method), "params": [:]])
        }
        _ = try await console()
    }

    func console() async throws -> [String] {
        (try await perform(.log, ["type": "browser"]).array ?? []).map {
            "\($0["level"]?.string ?? "") \($0["message"]?.string ?? "")"
        }
    }

    func quit() async {
        _ = try? await Self.call(port, "DELETE", "/session/\(session)", nil)
        driver.stop()
    }

    private static func call(_ port: UInt16, _ method: String, _ path: String, _ body: JSON?) async throws -> JSON {
        let answer = try await TestClient.exchange(method, port: port, path: path, body: body, patience: 120)
        let value = answer.json["value"] ?? .null
        guard answer.status == 200 else {
            throw Refusal(
                command: "\(method) \(path)", reason: value["message"]?.string ?? "status \(answer.status)")
        }
        return value
    }
}
