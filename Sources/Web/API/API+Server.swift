import Catalog
import Gallery
import JSON
import MicroHTTP
import Threads
import Viewport

extension API {
    /// Numbers of simultaneous downloads that the page may set.
    private static let concurrencies = 1...32

    func addServerRoutes(to router: inout Router) {
        let uncached = [(name: "Cache-Control", value: "no-store")]
        router.on(.get, Gatekeeper.healthPath) { _ in .now(Response(headers: uncached, text: "ok\n")) }
        router.on(.get, Gatekeeper.readinessPath) { _ in
            .later {
                do throws(BlockingThreads.Refusal) {
                    for threads in thumbnails.commonThreads { try await threads.run {} }
                    return Response(headers: uncached, text: "ready\n")
                } catch {
                    return Self.response(Problem(error))
                }
            }
        }
        // Both responses read every session.
        router.on(.get, "/metrics") { _ in
            later {
                Response(
                    status: 200,
                    headers: [
                        ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store"),
                    ], body: statistics.metrics.prometheusText)
            }
        }
        router.on(.get, "\(APIPath.base)/stats") { _ in
            later { Self.json(statistics.metrics.document) }
        }
        router.on(.get, "\(APIPath.base)/policies") { _ in
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
        guard let origin else { return }
        // These handlers may have to wait for the origin, which writes its log and applies its conditions between two steps of its
        // transfers.
        router.on(.get, "\(APIPath.base)/demo/origin") { request in
            let isChangeable = gatekeeper.caller(of: request).access == .full
            return later {
                Self.json(origin.document(concurrency: thumbnails.concurrency, isChangeable: isChangeable))
            }
        }
        router.on(.patch, "\(APIPath.base)/demo/origin") { request in
            later { () throws(Problem) in
                let reader = try Self.body(request)
                let concurrency = try reader.integer("concurrency", in: Self.concurrencies)
                try origin.change(reader)
                if let concurrency { thumbnails.concurrency = concurrency }
                return Self.json(origin.document(concurrency: thumbnails.concurrency, isChangeable: true))
            }
        }
    }
}
