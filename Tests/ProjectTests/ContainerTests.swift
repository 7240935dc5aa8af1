import Foundation
import TestSupport
import Testing

/// Files that deploy the package. Containers themselves are built by hand, because that takes a base image.
@Suite(.timeLimit(.minutes(1)))
struct ContainerTests {
    private static let validator = ".build/schemathesis/bin/kubernetes-validate"

    @Test(
        "the Kubernetes manifest is valid",
        .enabled(if: Checkout.isFile(validator), "the validator could not be had"))
    func manifest() async throws {
        let run = try await Checkout.run("\(Self.validator) --strict .packaging/kubernetes.yaml")
        #expect(run.status == 0, "\(run.output)")
        let folder = try TemporaryFolder()
        let wrong = try await Checkout.run(
            "sed 's/containerPort:/containerDoor:/' .packaging/kubernetes.yaml > '\(folder.path)/wrong.yaml' && \(Self.validator) --strict '\(folder.path)/wrong.yaml'"
        )
        #expect(wrong.status != 0)
    }

    @Test("the Kubernetes network policy allows DNS and the web, but no private address")
    func network() throws {
        let policy = try #require(
            Checkout.text(".packaging/kubernetes.yaml").components(separatedBy: "---\n")
                .first { $0.contains("kind: NetworkPolicy") })
        #expect(policy.contains("policyTypes: [Ingress, Egress]"))
        #expect(policy.matches(of: #/port: ([a-z0-9]+)/#).map { $0.output.1 } == ["http", "53", "53", "80", "443"])
        for network in [
            "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
            "64:ff9b::/96", "fc00::/7", "fe80::/10",
        ] { #expect(policy.contains(network), "\(network)") }
    }

    @Test("container files set only existing settings", arguments: ["Containerfile", "kubernetes.yaml"])
    func variables(file: String) async throws {
        let settings = try await Checkout.run("'\(LookaheadProcess.executable)' settings").output
        let variables = try Checkout.text(".packaging/\(file)").matches(of: #/LOOKAHEAD_[A-Z_]+/#).map {
            String($0.output)
        }
        #expect(!variables.isEmpty)
        for variable in variables {
            let name = variable.dropFirst("LOOKAHEAD_".count).lowercased().replacing("_", with: "-")
            #expect(settings.contains(name), "\(variable)")
        }
    }
}
