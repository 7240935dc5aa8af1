import Fetch
import Foundation
import Media

/// Reads credentials in the same order as the AWS tools: first the environment, then the profile in the files.
public struct BucketAccess: Sendable, Equatable {
    /// `nil` if none are configured. A bucket may be open to everyone.
    public var credentials: BucketCredentials?
    /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or the region of the profile. Default: `us-east-1`.
    public var region: String

    /// - Parameter read: returns a file's text, or `nil` if the file does not exist.
    public init(
        environment: [String: String],
        read: (_ path: String) -> String? = { try? String(contentsOfFile: $0, encoding: .utf8) }
    ) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        func text(_ variableName: String, _ name: String) -> String {
            (variable(variableName) ?? home.map { "\($0)/.aws/\(name)" }).flatMap(read) ?? ""
        }
        let profile = variable("AWS_PROFILE") ?? "default"
        let secrets = text("AWS_SHARED_CREDENTIALS_FILE", "credentials")
        let configuration = text("AWS_CONFIG_FILE", "config")
        let configured = Self.section(profile == "default" ? "default" : "profile \(profile)", of: configuration)
        let file = configured.merging(Self.section(profile, of: secrets)) { $1 }
        region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? configured["region"] ?? "us-east-1"
        if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
            credentials = BucketCredentials(
                accessKey: key, secretKey: secret, sessionToken: variable("AWS_SESSION_TOKEN"))
        } else if let key = file["aws_access_key_id"], let secret = file["aws_secret_access_key"] {
            credentials = BucketCredentials(accessKey: key, secretKey: secret, sessionToken: file["aws_session_token"])
        }
    }

    /// Returns the members of one section of a configuration file. A section is `[name]`, followed by one `key = value` a line. `#` and `;`
    /// begin comments.
    private static func section(_ name: String, of text: String) -> [String: String] {
        var members: [String: String] = [:]
        var isInside = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("[") {
                isInside = line.dropFirst().prefix { $0 != "]" }.trimmingCharacters(in: .whitespaces) == name
            } else if isInside, !line.hasPrefix("#"), !line.hasPrefix(";"), let equals = line.firstIndex(of: "=") {
                let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
                members[line[..<equals].trimmingCharacters(in: .whitespaces).lowercased()] = value
            }
        }
        return members
    }
}
