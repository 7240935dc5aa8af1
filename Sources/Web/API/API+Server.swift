import Catalog
import Gallery
import JSON
import MicroHTTP
import Threads
import Viewport

extension API {
    /// Numbers of simultaneous downloads that the page may set.
    static let concurrencies = 1...32

    private static let uncached = [(name: "Cache-Control", value: "no-store")]

    func health() -> Reply { .now(Response(headers: Self.uncached, text: "ok\n")) }

    func readiness() -> Reply {
        .later {
            do throws(BlockingThreads.Refusal) {
                for threads in thumbnails.commonThreads { try await threads.run {} }
                return Response(headers: Self.uncached, text: "ready\n")
            } catch {
                return Self.response(Problem(error))
            }
        }
    }

    // Both responses read every session.
    func metrics() -> Reply {
        later {
            Response(
                status: 200,
                headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")] + Self.uncached,
                body: statistics.metrics.prometheusText)
        }
    }

    func stats() -> Reply { later { Self.json(statistics.metrics.document) } }

    func listPolicies() -> Reply {
        var writer = JSONWriter()
        writer.object {
            $0.member("policies") {
                $0.array {
                    for policy in PolicyName.allCases {
                        $0.object {
                            $0.member("name", policy.rawValue)
                            $0.member("summary", policy.summary)
                            $0.member("isStandard", policy == .standard)
                        }
                    }
                }
            }
        }
        return .now(Self.json(writer.bytes))
    }

    // These handlers may have to wait for the origin, which writes its log and applies its conditions between two steps of its transfers.
    func getOrigin(_ request: Request) -> Reply {
        let isChangeable = gatekeeper.caller(of: request).access == .full
        return later { () throws(Problem) in document(of: try knownOrigin(), isChangeable: isChangeable) }
    }

    func changeOrigin(_ request: Request) -> Reply {
        later { () throws(Problem) in
            let origin = try knownOrigin()
            let reader = try Self.body(request)
            let concurrency = try reader.integer("concurrency", in: Self.concurrencies)
            try origin.change(reader)
            if let concurrency { thumbnails.concurrency = concurrency }
            return document(of: origin, isChangeable: true)
        }
    }

    private func knownOrigin() throws(Problem) -> any ThrottledOrigin {
        guard let origin else { throw Problem(404, "Only the demo has an origin.") }
        return origin
    }

    private func document(of origin: any ThrottledOrigin, isChangeable: Bool) -> Response {
        Self.json(origin.document(concurrency: thumbnails.concurrency, isChangeable: isChangeable))
    }
}
