import Fetch
import Foundation
import Media
import Testing

/// TLS and HTTP/2 against nginx. Skipped if nginx or openssl is not installed.
@Suite(.enabled(if: NginxOrigin.isInstalled), .timeLimit(.minutes(1))) struct SecureTests {
    private func withNginx(
        trusted: Bool = true, configure: (inout FetchConfiguration) -> Void = { _ in },
        _ body: (NginxOrigin, CurlFetcher) async throws -> Void
    ) async throws {
        let nginx = try await NginxOrigin()
        defer { nginx.stop() }
        var configuration = FetchConfiguration()
        configuration.policy.addresses.allowed = ["127.0.0.0/8", "::1"].compactMap { CIDR($0) }
        if trusted { configuration.certificates = nginx.certificate }
        configure(&configuration)
        let fetcher = try CurlFetcher(configuration)
        do {
            try await body(nginx, fetcher)
        } catch {
            await fetcher.shutdown()
            throw error
        }
        await fetcher.shutdown()
    }

    @Test("100 downloads share one HTTP/2 connection")
    func sharing() async throws {
        try await withNginx { nginx, fetcher in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let response = try await fetcher.fetch(nginx.url("/small"))
                        #expect(response.isHTTP2 && response.body == OriginRoutes.pattern(50_000))
                    }
                }
                try await group.waitForAll()
            }
            #expect(fetcher.counts.connections == 1)
        }
    }

    @Test("a cancelled HTTP/2 stream leaves its connection and the other streams open")
    func streams() async throws {
        try await withNginx { nginx, fetcher in
            let (slow, small) = (nginx.url("/slow/large"), nginx.url("/small"))
            let gate = AsyncStream<Void>.makeStream()
            let task = Task {
                do throws(FetchError) {
                    _ = try await fetcher.fetch(FetchRequest(url: slow)) { _, _ in gate.continuation.finish() }
                    return nil as FetchError?
                } catch {
                    return error
                }
            }
            for await _ in gate.stream {}
            async let other = fetcher.fetch(small)
            task.cancel()
            #expect(await task.value == .cancelled)
            let response = try await other
            #expect(response.body.count == 50_000)
            let after = try await fetcher.fetch(small)
            #expect(after.reusedConnection)
            #expect(fetcher.counts.connections == 1)
        }
    }

    @Test("a TLS origin is requested over HTTP/1.1 if HTTP/2 is off")
    func http1() async throws {
        try await withNginx(configure: { $0.http2 = false }) { nginx, fetcher in
            let response = try await fetcher.fetch(nginx.url("/small"))
            #expect(!response.isHTTP2 && response.body.count == 50_000)
        }
    }

    @Test("nginx's validators and ranges support revalidation and resumption")
    func validators() async throws {
        try await withNginx { nginx, fetcher in
            var request = FetchRequest(url: nginx.url("/large"))
            let first = try await fetcher.fetch(request)
            request.revalidate = first.validators
            let second = try await fetcher.fetch(request)
            #expect(second.isNotModified)
            request.revalidate = nil
            request.resume = PartialBody(
                bytes: Array(first.body.prefix(1_234_567)), validator: first.validators.etag ?? "")
            let third = try await fetcher.fetch(request)
            #expect(third.resumedAt == 1_234_567 && third.body == first.body)
        }
    }

    @Test("an untrusted certificate and a certificate for another host are refused")
    func certificates() async throws {
        try await withNginx(trusted: false) { nginx, fetcher in
            switch await fetcher.failure(nginx.url("/small")) {
            case .tls: break
            case let error: Issue.record("\(String(describing: error))")
            }
        }
        try await withNginx { nginx, fetcher in
            switch await fetcher.failure("https://localhost:\(nginx.port)/small") {
            case .tls: break
            case let error: Issue.record("\(String(describing: error))")
            }
        }
    }
}
