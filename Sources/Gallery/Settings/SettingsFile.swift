import JSON

/// Settings written down: a JSON object whose names are the settings'.
///
/// ```json
/// { "port": 8080, "max-sessions": 500, "allow-host": ["pictures.example"] }
/// ```
public struct SettingsFile: Sendable {
    let members: JSONObject
    private let path: String
    private let lines: [Substring]

    /// - Parameter path: names the file in errors.
    /// - Throws: ``SettingError`` where the text is no JSON object.
    public init(path: String, bytes: [UInt8]) throws(SettingError) {
        self.path = path
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        do throws(JSONError) {
            guard case .object(let members) = try JSON.parse(bytes) else {
                throw JSONError(offset: 0, reason: "it is not an object")
            }
            self.members = members
        } catch {
            throw SettingError("\(path) must be a JSON object such as {\"max-sessions\": 100}: \(error)")
        }
    }

    /// File, line and name of a member, for errors. The last one counts, as in ``members``.
    func place(of name: String) -> String {
        let line = lines.lastIndex { $0.contains("\"\(name)\"") }
        return "\(path):\(line.map { "\($0 + 1):" } ?? "") \(name)"
    }

    /// - Throws: ``SettingError`` for a member that names no setting, most likely misspelt.
    func requireKnown(_ names: Set<String>) throws(SettingError) {
        for member in members.members where !names.contains(member.name) {
            throw SettingError("\(place(of: member.name)) is not a setting; lookahead settings lists all")
        }
    }
}
