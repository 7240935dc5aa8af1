import JSON
import TestSupport
import Testing

extension PageTests {
    /// A proxy between the page and the server: it may be set up wrongly, and the line through it may be slow.
    @Suite("Behind a proxy", .enabled(if: NginxProxy.isInstalled, "needs nginx: apt install nginx-light"))
    struct Proxy {
        /// Passes everything on, with `extra` words about all of it and about event streams.
        private static func locations(to server: UInt16, _ extra: String = "", streams: String = "") -> String {
            let pass = """
                proxy_pass http://127.0.0.1:\(server); proxy_http_version 1.1; proxy_set_header Connection "";
                proxy_buffering off; \(extra)
                """
            return "location / { \(pass) } location ~ /events$ { \(pass) \(streams) }"
        }

        @Test(
            "one that hides the page's address makes the server refuse: the page says what to change, and goes on when it is"
        )
        func refused() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            var proxy = try await NginxProxy(Self.locations(to: demo.port))
            try await withBrowser { browser in
                try await browser.open("http://127.0.0.1:\(proxy.port)/")
                try await browser.until(
                    "document.getElementById('notice').dataset.kind === 'refused' && !document.getElementById('notice').hidden",
                    "a word about it")
                let words = try await browser.run("return document.getElementById('notice').textContent;").string ?? ""
                #expect(words.contains("pass the Host header on"), "\(words)")
                let port = proxy.port
                proxy.stop()
                proxy = try await NginxProxy(
                    Self.locations(to: demo.port, "proxy_set_header Host $http_host;"), port: port)
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
                Self.locations(to: demo.port, "proxy_set_header Host $http_host;", streams: "limit_rate 300k;"))
            try await withBrowser { browser in
                // A sharp screen: its pictures weigh much.
                try await browser.devtools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": 1280, "height": 800, "deviceScaleFactor": 2, "mobile": false])
                try await browser.open("http://127.0.0.1:\(proxy.port)/")
                try await browser.until("probe.visible().length > 20", "cells")
                try await browser.run(Self.watch)
                try await browser.until("probe.filled()", "the whole pictures")
                let seen = try await browser.run("return window.__seen;")
                #expect((seen["small"]?.integer ?? 0) > 3, "small pictures")
                #expect((seen["better"]?.integer ?? 0) > 3, "whole pictures over small ones")
                #expect(seen["lost"]?.integer == 0, "a cell was blank again")
            }
            proxy.stop()
        }

        /// Looks at every frame how many pixels each cell has.
        private static let watch = """
            const widths = new Map();
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
