import JSON
import TestSupport
import Testing

extension PageTests {
    /// A proxy between the page and the server, which may be set up wrongly.
    @Suite(
        "The page works behind a proxy", .enabled(if: NginxProxy.isInstalled, "needs nginx: apt install nginx-light"))
    struct Proxy {
        /// Passes requests on under the browser's name for the server. `api` configures calls of the API.
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
            "if a proxy uses a host name that the server does not know, the page says what to change, and recovers then"
        )
        func refused() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            var proxy = try await NginxProxy(
                Self.locations(to: demo.port, api: "proxy_set_header Host pictures.example;"))
            try await withBrowser { browser in
                try await browser.open("http://127.0.0.1:\(proxy.port)/")
                try await browser.until("sessionProbe.hasNotice('refused')", "the notice")
                try await browser.hurry()
                let words = try await browser.run("return sessionProbe.notice.textContent;").string ?? ""
                #expect(words.contains("--allow-host pictures.example"), "\(words)")
                let port = proxy.port
                proxy.stop()
                proxy = try await NginxProxy(Self.locations(to: demo.port), port: port)
                try await browser.until("sessionProbe.isCalm() && probe.filled()", "the gallery")
            }
            proxy.stop()
        }

        @Test("a page whose address has a user name and password shows its pictures at an address without them")
        func credentials() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            let folder = try TemporaryFolder()
            let users = try folder.write("users", Array("u:{PLAIN}p\n".utf8))
            let proxy = try await NginxProxy(
                "auth_basic pictures; auth_basic_user_file \(users);\n" + Self.locations(to: demo.port))
            try await withBrowser { browser in
                try await browser.open("http://u:p@127.0.0.1:\(proxy.port)/?prefetching=off")
                try await browser.until("!document.baseURI.includes('@') && probe.filled()", "the pictures")
                let address = try await browser.run("return document.baseURI;").string
                #expect(address == "http://127.0.0.1:\(proxy.port)/?prefetching=off")
            }
            proxy.stop()
        }

        @Test("a broken stream resumes in the same session after the last event, and no picture arrives twice")
        func resumes() async throws {
            let demo = try await Demo(items: 20_000)
            defer { demo.stop() }
            var proxy = try await NginxProxy(Self.locations(to: demo.port))
            try await withBrowser { browser in
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.listening)])
                try await browser.open("http://127.0.0.1:\(proxy.port)/?prefetching=off")
                try await browser.until("probe.filled()", "first pictures")
                try await browser.hurry()
                let path = "sessions/\(try await browser.session())"
                // The line breaks while pictures are loading. The server makes them all the same.
                try await demo.call("PATCH", "demo/origin", ["latency": 1500, "jitter": 0])
                try await browser.run("probe.scroller.scrollTop = 9000;")
                func loading() async throws -> Int {
                    try await demo.call("GET", path)["counts"]?["loading"]?.integer ?? -1
                }
                try await eventually("loading pictures", of: loading) { $0 > 0 }
                let port = proxy.port
                proxy.stop()
                try await browser.until("sessionProbe.hasNotice('reconnecting')", "the notice")
                try await eventually("all of them made", of: loading) { $0 == 0 }
                proxy = try await NginxProxy(Self.locations(to: demo.port), port: port)
                try await browser.until(
                    "probe.items()[0] > 100 && probe.filled() && sessionProbe.notice.hidden", "the pictures there")
                let heard = try await browser.run("return sessionProbe.resumption();")
                #expect((heard["since"]?.integer ?? 0) > 20, "the stream did not resume: \(heard)")
                #expect((heard["items"]?.integer ?? 0) > 50 && heard["twice"]?.integer == 0, "\(heard)")
                #expect("sessions/\(try await browser.session())" == path, "another session")
            }
            proxy.stop()
        }

        /// Records the addresses of streams, and the items whose pictures arrive by them.
        private static let listening = """
            window.heard = { streams: [], items: [] };
            const Source = window.EventSource;
            window.EventSource = class extends Source {
              constructor(url) {
                super(url);
                heard.streams.push(url);
                this.addEventListener('thumbnail', (event) => {
                  const { item, tier } = JSON.parse(event.data);
                  if (tier === 'full') heard.items.push(item); // a small picture arrives before the full one
                });
              }
            };
            """
    }
}
