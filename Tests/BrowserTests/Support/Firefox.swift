import Foundation
import JSON
import Synchronization
import TestSupport

/// A headless Firefox, spoken to in Marionette: the WebDriver commands as JSON, each message after its length.
final class Firefox: Driver {
    private struct Line {
        let client: TestClient
        var sent = 0
    }

    private let browser: Child
    private let profile: TemporaryFolder
    private let line: Mutex<Line>
    /// Where an answer is waited for, away from the threads of Swift concurrency.
    private let queue = DispatchQueue(label: "Firefox")

    static var isInstalled: Bool { executable != nil }

    /// Debian's long-term version or any other; not a shim for a snap, which may not see the profile it is given.
    private static var executable: String? {
        ["firefox-esr", "firefox"].lazy.compactMap { try? Executable.find($0) }.first { path in
            let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            let script = FileManager.default.contents(atPath: real)?.prefix(4096) ?? Data()
            return !real.contains("/snap/") && !String(decoding: script, as: UTF8.self).contains("/snap/")
        }
    }

    init(width: Int, height: Int) async throws {
        guard let executable = Self.executable else { throw TestClient.Failure(what: "there is no Firefox") }
        profile = try TemporaryFolder()
        try profile.write("user.js", Array(Self.preferences.utf8))
        browser = try Child(
            executable,
            [
                "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile.path,
                "--width", "\(width)",
                "--height", "\(height)",
            ],
            environment: ["HOME": profile.path, "MOZ_HEADLESS_WIDTH": "\(width)", "MOZ_HEADLESS_HEIGHT": "\(height)"])
        let port = try await browser.port(after: "Listening on port")
        let client = try TestClient(port, seconds: 120)
        _ = try client.read(count: Int(try client.read(until: ":").dropLast()) ?? 0)
        line = Mutex(Line(client: client))
        _ = try await send("WebDriver:NewSession", [:])
        _ = try await send("WebDriver:SetTimeouts", ["script": 600_000])
        _ = try await perform(.setWindow, ["width": .number(Double(width)), "height": .number(Double(height))])
    }

    func perform(_ command: Command, _ parameters: JSON) async throws -> JSON {
        let answer = try await send("WebDriver:\(command.name)", parameters)
        return answer["value"] ?? answer
    }

    func quit() async {
        _ = try? await send("Marionette:Quit", ["flags": ["eForceQuit"]])
        browser.stop()
    }

    func send(_ name: String, _ parameters: JSON) async throws -> JSON {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try line.withLock { try Self.exchange(&$0, name, parameters) } })
            }
        }
    }

    /// A command is `[0, number, name, parameters]`, its answer `[1, number, error, value]`.
    private static func exchange(_ line: inout Line, _ name: String, _ parameters: JSON) throws -> JSON {
        line.sent += 1
        let message = JSON.array([0, .number(Double(line.sent)), .string(name), parameters]).bytes
        line.client.send(Array("\(message.count):".utf8) + message)
        var answer: [JSON]
        do {
            // A command whose page goes may be answered twice.
            repeat {
                let count = Int(try line.client.read(until: ":").dropLast()) ?? 0
                answer = try JSON.parse(line.client.read(count: count)).array ?? []
            } while answer.count > 1 && answer[1] != .number(Double(line.sent))
        } catch let failure as TestClient.Failure {
            throw TestClient.Failure(what: "\(name): \(failure.what)")
        }
        guard answer.count == 4, answer[2] == .null else {
            let error = answer.count > 2 ? answer[2]["message"]?.string : nil
            throw Refusal(command: name, reason: error ?? "no answer")
        }
        return answer[3]
    }

    /// A port of the system's choice, and nothing that a browser does besides showing pages.
    private static let preferences = """
        user_pref("marionette.port", 0);
        user_pref("remote.active-protocols", 2);
        user_pref("app.update.auto", false);
        user_pref("browser.shell.checkDefaultBrowser", false);
        user_pref("browser.startup.page", 0);
        user_pref("browser.startup.homepage_override.mstone", "ignore");
        user_pref("datareporting.policy.dataSubmissionEnabled", false);
        user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
        user_pref("network.captive-portal-service.enabled", false);
        user_pref("network.connectivity-service.enabled", false);
        user_pref("services.settings.server", "data:,");
        user_pref("extensions.update.enabled", false);
        user_pref("dom.ipc.processPrelaunch.enabled", false);
        user_pref("ui.prefersReducedMotion", 0);

        """
}
