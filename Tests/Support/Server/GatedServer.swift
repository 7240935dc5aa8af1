import Gallery
import TestSupport
import Web

/// A server in this process with a gated list.
package final class GatedServer: Sendable {
    package let catalog: GatedCatalog
    package let server: GalleryServer
    package let port: UInt16

    package init(trustedProxies: [String] = []) async throws {
        let catalog = GatedCatalog()
        self.catalog = catalog
        var settings = Settings(
            publicDirectory: LookaheadProcess.publicDirectory,
            renderCommand: [LookaheadProcess.executable, "media-worker"])
        settings.port = 0
        settings.trustedProxies = trustedProxies
        server = try GalleryServer(settings: settings)
        try server.galleries.add(catalog, id: "gated")
        port = try await server.start()
    }

    /// Waits until at least `count` requests wait for layouts.
    package func waiters(_ count: Int) async throws {
        try await eventually(
            "\(count) waiters", of: { server.galleries.layouts.waiterCount }, satisfies: { $0 >= count })
    }

    package func stop() async {
        catalog.shapes.open()
        catalog.items.open()
        await server.shutdown()
    }
}
