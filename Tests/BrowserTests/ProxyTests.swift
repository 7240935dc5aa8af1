import JSON
import TestSupport
import Testing

extension PageTests {
    /// A proxy between the page and the server, which may be set up wrongly.
    @Suite("Behind a proxy", .enabled(if: NginxProxy.isInstalled, "needs nginx: apt install nginx-light"))
    struct Proxy {
        /// Passes everything on under the browser's name for it, API calls with words of their own.
        private static func locations(to server: UInt16, api: String = name) -> String {
            let pass = """
                proxy_pass http://127.0.0.1:\(server); proxy_http_version 1.1; proxy_set_header Connection "";
                proxy_buffering off;
                """
            return """
                location / { \(pass) \(name) }
                location /api/ { \(pass) \(api) }
                """
        }

        private static let name = "proxy_set_header Host $http_host;"

        @Test(
            "one that calls the server by a name it does not know: the page says what to change, and goes on once it is"
        )
        func refused() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            var proxy = try await NginxProxy(
                Self.locations(to: demo.port, api: "proxy_set_header Host pictures.example;"))
            try await withBrowser { browser in
                try await browser.open("http://127.0.0.1:\(proxy.port)/")
                try await browser.until(
                    "document.getElementById('notice').dataset.kind === 'refused' && !document.getElementById('notice').hidden",
                    "a word about it")
                let words = try await browser.run("return document.getElementById('notice').textContent;").string ?? ""
                #expect(words.contains("--allow-host pictures.example"), "\(words)")
                let port = proxy.port
                proxy.stop()
                proxy = try await NginxProxy(Self.locations(to: demo.port), port: port)
                try await browser.until(
                    "document.documentElement.dataset.connection === 'live' && document.getElementById('notice').hidden && probe.filled()",
                    "the gallery")
            }
            proxy.stop()
        }
    }
}
