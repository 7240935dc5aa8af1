import JSON

/// Drives a browser by WebDriver, over any line.
protocol Driver: Sendable {
    /// Sends a command, and gives its value once the browser has answered.
    @discardableResult
    func perform(_ command: Command, _ parameters: JSON) async throws -> JSON
    func emulate(_ emulation: Emulation) async throws
    /// Clears cookies, caches and permissions, and what was emulated beyond the tab.
    func forget() async throws
    /// Messages on the console since the last call, or since the browser was renewed.
    func console() async throws -> [String]
    func quit() async
}

/// A command that the browser did not carry out.
struct Refusal: Error, CustomStringConvertible {
    var command: String
    var reason: String
    var description: String { "\(command): \(reason)" }

    /// Whether the page went away under a script. Chromium says so in several ways, one of them a time limit that was not
    /// reached.
    var isOfPageThatWent: Bool {
        [
            "script timeout", "unloaded", "aborted by navigation", "execution context", "Cannot find context",
            "Inspected target navigated",
        ].contains { reason.contains($0) }
    }
}

/// A command of WebDriver: where it is found over HTTP, and its name in Firefox.
struct Command: Sendable {
    var method: String
    /// Below the session.
    var path: String
    var name: String

    private init(_ method: String, _ path: String, _ name: String) {
        (self.method, self.path, self.name) = (method, path, name)
    }

    static let navigate = Command("POST", "url", "Navigate")
    static let refresh = Command("POST", "refresh", "Refresh")
    static let back = Command("POST", "back", "Back")
    static let setWindow = Command("POST", "window/rect", "SetWindowRect")
    static let window = Command("GET", "window", "GetWindowHandle")
    static let windows = Command("GET", "window/handles", "GetWindowHandles")
    static let newWindow = Command("POST", "window/new", "NewWindow")
    static let switchToWindow = Command("POST", "window", "SwitchToWindow")
    static let closeWindow = Command("DELETE", "window", "CloseWindow")
    static let execute = Command("POST", "execute/sync", "ExecuteScript")
    static let executeAsync = Command("POST", "execute/async", "ExecuteAsyncScript")
    static let actions = Command("POST", "actions", "PerformActions")
    static let releaseActions = Command("DELETE", "actions", "ReleaseActions")
    static let print = Command("POST", "print", "Print")
    static let takeScreenshot = Command("GET", "screenshot", "TakeScreenshot")
    /// Chromium's alone.
    static let devtools = Command("POST", "goog/cdp/execute", "")
    static let log = Command("POST", "se/log", "")
}

/// The browsers the page is tested in.
enum Engine: String, Sendable, CaseIterable {
    case chromium, firefox

    /// The installed engines. The tests fail without Chromium.
    static var installed: [Engine] { Firefox.isInstalled ? [.chromium, .firefox] : [.chromium] }

    /// The one that a test is run in.
    @TaskLocal static var current = Engine.chromium

    func start(width: Int, height: Int) async throws -> any Driver {
        switch self {
        case .chromium: try await Chromium(width: width, height: height)
        case .firefox: try await Firefox(width: width, height: height)
        }
    }
}
