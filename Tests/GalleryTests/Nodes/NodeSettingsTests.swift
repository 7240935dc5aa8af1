import Gallery
import Testing

@Suite("Settings of nodes")
struct NodeSettingsTests {
    private func settings(_ flags: [String: [String]]) throws -> Settings {
        try SettingsTests.settings(flags)
    }

    @Test("several Redis servers are separated by commas and may have passwords")
    func several() throws {
        let settings = try settings(["redis": ["redis://:secret@a, redis://b:7000"], "node": ["a-1"]])
        #expect(settings.redis == ["redis://:secret@a", "redis://b:7000"])
        #expect(settings.node == "a-1")
        let none = try self.settings([:])
        #expect(none.redis.isEmpty && none.node == nil)
    }

    @Test("an invalid node name is refused", arguments: ["", "A", "a_b", "ä", "a:b", "a b"])
    func names(node: String) throws {
        #expect { try settings(["node": [node]]) } throws: { "\($0)".hasPrefix("--node must be 1 to 32") }
    }

    @Test("invalid Redis settings are refused with the fix and without secrets")
    func refused() throws {
        for (redis, node, error) in [
            (["redis://a"], nil, "--redis needs --node NAME"),
            (["http://:secret@a"], "a", "--redis must be redis://"),
            (["redis://a", "redis://:x@a:6379/0"], "a", "--redis names a server twice"),
        ] as [([String], String?, String)] {
            var settings = Settings.standard
            settings.redis = redis
            settings.node = node
            #expect {
                try ThumbnailBackend.shared(settings) { _ in }
            } throws: {
                "\($0)".hasPrefix(error) && !"\($0)".contains("secret")
            }
        }
        let none = try ThumbnailBackend.shared(Settings.standard) { _ in }
        #expect(none == nil)
    }

    @Test("session ids start with the node's name")
    func identifiers() {
        #expect(Identifier.random(bytes: 16, of: "a").wholeMatch(of: /a-[0-9a-f]{32}/) != nil)
        #expect(Identifier.random(bytes: 16, of: nil).wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }
}
