import Foundation
import TestSupport
import Testing

/// The order of flags and variables, tested on the program itself.
@Suite(.timeLimit(.minutes(2)))
struct PrecedenceTests {
    static func variable(_ name: String) -> String {
        "LOOKAHEAD_" + name.uppercased().replacingOccurrences(of: "-", with: "_")
    }

    @Test("a flag overrides its variable")
    func precedence() async throws {
        let demo = try await LookaheadProcess(
            ["demo", "--items", "1", "--max-sessions", "5"], environment: ["LOOKAHEAD_MAX_SESSIONS": "-1"])
        demo.stop()
    }

    /// Tests each number as a flag. The weekly run tests its variable, too.
    @Test("a number out of bounds is refused, and the error names the flag or variable")
    func bounds() async throws {
        for name in try await HelpTests.numbers() {
            let places = ["--\(name)", Self.variable(name)]
            for place in Weekly.isOn ? places : [places[0]] {
                let isFlag = place.hasPrefix("--")
                let child = try Child(
                    LookaheadProcess.executable, ["serve", "."] + (isFlag ? ["\(place)=-1"] : []),
                    environment: isFlag ? [:] : [place: "-1"])
                #expect(child.wait() == 64, "\(place)")
                #expect(child.standardError().contains("\(place) must be from "), "\(child.standardError())")
            }
        }
    }
}
