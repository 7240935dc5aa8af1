import ArgumentParser
import Foundation
import Gallery
import Terminal

/// Flags: where the server listens, and whom it lets in.
struct ListeningOptions: ParsableArguments {
    @Option(help: "Address to listen on (default 127.0.0.1). Another than loopback needs a token.")
    var host: String?

    @Option(Settings.port) var port: Int?

    @Option(help: "Secret that lets people and scripts in, of at least \(AccessToken.minLength) characters.")
    var token: String?

    @Option(
        help: "File that holds the token alone: unlike flags, others on this machine do not see it.",
        completion: .file())
    var tokenFile: String?

    @Option(
        help: "File that holds a second token: it lets people look and scroll, and change nothing that is another's.",
        completion: .file())
    var viewTokenFile: String?

    @Option(
        name: .customLong("allow-host"),
        help: "A name that the server is known by, behind a proxy or in the local network. May be repeated.")
    var allowedHosts: [String] = []

    @Option(
        name: .customLong("trusted-proxy"),
        help: "Address or network of a proxy whose X-Forwarded headers are believed. May be repeated.")
    var trustedProxies: [String] = []

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into settings: inout Settings) throws(SettingError) {
        settings.host = try reader.text(host, "host", default: "127.0.0.1") ?? ""
        settings.port = UInt16(try reader.number(port, Settings.port))
        settings.token = try token(&reader)
        if let path = try reader.text(viewTokenFile, "view-token-file", isSecret: true) {
            settings.viewToken = try Self.token(in: path, flag: "--view-token-file")
        }
        settings.allowedHosts = try reader.list(allowedHosts, "allow-host")
        settings.trustedProxies = try reader.list(trustedProxies, "trusted-proxy")
    }

    /// The token, given as it is or in a file of its own.
    private func token(_ reader: inout SettingsReader) throws(SettingError) -> AccessToken? {
        guard token == nil || tokenFile == nil else {
            throw SettingError("give --token or --token-file, not both")
        }
        // A file given by flag goes before a token of the environment.
        let path = try reader.text(tokenFile, "token-file", isSecret: true)
        let given = try reader.text(token, "token", isSecret: true)
        if let given, tokenFile == nil { return try AccessToken(given) }
        return try path.map { path throws(SettingError) in try Self.token(in: path, flag: "--token-file") }
    }

    private static func token(in path: String, flag: String) throws(SettingError) -> AccessToken {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw SettingError("\(flag): \(path) cannot be read")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return try AccessToken(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
