import JSON
import TestSupport
import Testing

extension PageTests {
    /// A proxy between the page and the server: it may be set up wrongly, and the line through it may be slow.
    @Suite("Behind a proxy", .enabled(if: NginxProxy.isInstalled, "needs nginx: apt install nginx-light"))
    struct Proxy {
        /// Passes everything on under the browser's name for it, API calls and event streams with words of their own.
        private static func locations(to server: UInt16, api: String = name, streams: String = name) -> String {
            let pass = """
                proxy_pass http://127.0.0.1:\(server); proxy_http_version 1.1; proxy_set_header Connection "";
                proxy_buffering off;
                """
            return """
                location / { \(pass) \(name) }
                location /api/ { \(pass) \(api) }
                location ~ /events$ { \(pass) \(streams) }
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

        @Test("behind a slow line small pictures come first, and the whole ones fade in over them")
        func slowLine() async throws {
            let demo = try await Demo(items: 2000, latency: 0, bandwidth: 1000)
            defer { demo.stop() }
            let proxy = try await NginxProxy(
                Self.locations(to: demo.port, streams: "\(Self.name) limit_rate 150k;"))
            try await withBrowser { browser in
                // Many pictures of a sharp screen: more than the system takes in before the server notices.
                try await browser.devtools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": 1280, "height": 800, "deviceScaleFactor": 3, "mobile": false])
                try await browser.open("http://127.0.0.1:\(proxy.port)/?size=2")
                try await browser.until("probe.visible().length > 30", "cells")
                try await browser.run(Self.watch)
                try await browser.until(
                    "probe.visible().every((cell) => window.__widths.get(cell.dataset.item) > 64)", "the whole pictures"
                )
                let seen = try await browser.run("return window.__seen;")
                #expect((seen["small"]?.integer ?? 0) > 3, "small pictures")
                #expect((seen["better"]?.integer ?? 0) > 3, "whole pictures over small ones")
                #expect(seen["lost"]?.integer == 0, "a cell was blank again")
            }
            proxy.stop()
        }

        /// Looks at every frame how many pixels each cell has.
        private static let watch = """
            const widths = (window.__widths = new Map());
            const seen = (window.__seen = { small: 0, better: 0, lost: 0 });
            const look = () => {
              for (const cell of probe.visible()) {
                const now = Math.max(0, ...[...cell.querySelectorAll('img.shown')].map((image) => image.naturalWidth));
                const before = widths.get(cell.dataset.item) ?? 0;
                if (now && now <= 64 && !before) seen.small += 1;
                if (now > 64 && before && before <= 64) seen.better += 1;
                if (before && !now) seen.lost += 1;
                widths.set(cell.dataset.item, now);
              }
              requestAnimationFrame(look);
            };
            look();
            """
    }
}
