import Demo

/// Runs `body` with an origin that marks its pictures and with its port, then stops the origin.
func withOrigin(
    _ conditions: DemoOrigin.Conditions, _ configuration: DemoOrigin.Configuration = .init(),
    _ body: (DemoOrigin, UInt16) async throws -> Void
) async throws {
    var configuration = configuration
    configuration.marksPictures = true
    let origin = DemoOrigin(configuration, conditions: conditions)
    let port = try origin.start()
    do { try await body(origin, port) } catch {
        await origin.stop()
        throw error
    }
    await origin.stop()
}
