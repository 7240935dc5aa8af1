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
                try await browser.hurry()
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

        @Test("a page whose address has a user and a password shows its pictures, at the address without them")
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

        @Test("a line that breaks is taken up in the same session, after the last event heard: no picture comes twice")
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
                // Cut off while pictures are on their way; they are made all the same.
                try await demo.call("PATCH", "demo/origin", ["latency": 1500, "jitter": 0])
                try await browser.run("probe.scroller.scrollTop = 9000;")
                func loading() async throws -> Int {
                    try await demo.call("GET", path)["counts"]?["loading"]?.integer ?? -1
                }
                try await eventually("pictures on their way", of: loading) { $0 > 0 }
                let port = proxy.port
                proxy.stop()
                try await browser.until(
                    "!document.getElementById('notice').hidden && document.getElementById('notice').dataset.kind === 'reconnecting'",
                    "a word about it")
                try await eventually("all of them made", of: loading) { $0 == 0 }
                proxy = try await NginxProxy(Self.locations(to: demo.port), port: port)
                try await browser.until(
                    "probe.items()[0] > 100 && probe.filled() && document.getElementById('notice').hidden",
                    "the pictures there")
                let heard = try await browser.run(
                    """
                    const { streams, items } = window.heard;
                    return { since: Number(new URL(streams.at(-1)).searchParams.get('lastEventID')), twice: items.length - new Set(items).size, items: items.length };
                    """)
                #expect((heard["since"]?.integer ?? 0) > 20, "where it was is not told: \(heard)")
                #expect((heard["items"]?.integer ?? 0) > 50 && heard["twice"]?.integer == 0, "\(heard)")
                #expect("sessions/\(try await browser.session())" == path, "another session")
            }
            proxy.stop()
        }

        /// Writes down the addresses of streams, and the items whose pictures they bring.
        private static let listening = """
            window.heard = { streams: [], items: [] };
            const Source = window.EventSource;
            window.EventSource = class extends Source {
              constructor(url) {
                super(url);
                heard.streams.push(url);
                this.addEventListener('thumbnail', (event) => {
                  const { item, tier } = JSON.parse(event.data);
                  if (tier === 'full') heard.items.push(item); // a small picture comes before the whole one
                });
              }
            };
            """
    }
}
