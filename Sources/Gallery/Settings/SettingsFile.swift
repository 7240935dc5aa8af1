import JSON

/// Settings written down: a JSON object whose names are those of the flags.
///
/// ```json
/// { "port": 8080, "max-sessions": 500, "allow-host": ["pictures.example"] }
/// ```
public struct SettingsFile: Sendable {
    /// The file's path, for errors.
    public let path: String
    public let members: JSONObject

    /// - Throws: ``SettingError`` where the text is no JSON object.
    public init(path: String, bytes: [UInt8]) throws(SettingError) {
        self.path = path
        do throws(JSONError) {
            guard case .object(let members) = try JSON.parse(bytes) else {
                throw JSONError(offset: 0, reason: "it is no object")
            }
            self.members = members
        } catch {
            throw SettingError("\(path) must be a JSON object such as {\"max-sessions\": 100}: \(error)")
        }
    }

    /// - Throws: ``SettingError`` for a member that names no setting, most likely misspelt.
    public func requireKnown(_ names: Set<String>) throws(SettingError) {
        for member in members.members where !names.contains(member.name) {
            throw SettingError("\(path): there is no setting \"\(member.name)\"; lookahead serve --help lists them")
        }
    }
}
