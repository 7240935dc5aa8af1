import Gallery
import MicroHTTP

extension Route {
    static let server: [Route] = [
        Route(
            .get, "\(APIPath.base)/policies", .view, "listPolicies", .server, "List the prefetching policies",
            successes: [.json("All policies, in no particular order.", .policies)],
            handling: .whole { api, _ in api.listPolicies() }),
        Route(
            .get, "\(APIPath.base)/stats", .view, "getStats", .server, "Get the metrics as JSON",
            successes: [.json("Since the start of the server.", .metrics)],
            handling: .whole { api, _ in api.stats() }),
        Route(
            .get, "\(APIPath.base)/openapi.json", .view, "getDescription", .server, "Get this document",
            parameters: [.ifNoneMatch],
            successes: [
                Success(
                    status: 200, description: "OpenAPI 3.1.",
                    contents: [
                        .json(
                            .anyObject,
                            example: #"{"openapi":"3.1.0","info":{"title":"Lookahead","version":"1.0.0"}}"#)
                    ]), .notModified,
            ], handling: .whole { _, request in .now(API.description.response(to: request)) }),
        Route(
            .get, "\(APIPath.base)/demo/origin", .view, "getOrigin", .server,
            "Get the demo's origin (lookahead demo only)",
            successes: [.json("Its network conditions and requests.", .origin)], isOffered: { $0.origin != nil },
            handling: .whole { $0.getOrigin($1) }),
        Route(
            .patch, "\(APIPath.base)/demo/origin", .full, "changeOrigin", .server,
            "Change the demo's network conditions", body: .json(.conditionsChange),
            successes: [.json("Changed for new requests.", .origin)], isOffered: { $0.origin != nil },
            handling: .whole { $0.changeOrigin($1) }),
        Route(
            .get, "/metrics", .view, "getMetrics", .server, "Get the metrics for Prometheus",
            successes: [
                Success(
                    status: 200, description: "Text exposition format 0.0.4.",
                    contents: [Content(type: "text/plain", schema: .string())])
            ], handling: .whole { api, _ in api.metrics() }),
        Route(
            .get, Gatekeeper.healthPath, .anyone, "getHealth", .server, "Check that the server is up",
            details: "Needs no token and accepts any host name.",
            successes: [
                Success(
                    status: 200, description: "The server is up.",
                    contents: [Content(type: "text/plain", schema: .constant("ok\n"))])
            ], handling: .whole { api, _ in api.health() }),
        Route(
            .get, Gatekeeper.readinessPath, .anyone, "getReadiness", .server,
            "Check that the server can do its work",
            details: """
                Runs an empty job on each kind of thread that requests wait for. Needs no token and accepts any host name.
                """,
            successes: [
                Success(
                    status: 200, description: "The server is ready.",
                    contents: [Content(type: "text/plain", schema: .constant("ready\n"))])
            ], handling: .whole { api, _ in api.readiness() }),
        Route(
            .get, "/{file...}", .view, "getFile", .server, "Get the page and its files",
            parameters: [
                Parameter(
                    name: "token", place: .query,
                    description: "The access token; the server stores it in a cookie.", schema: .string(),
                    example: #""0123456789abcdef""#, isChecked: false),
                .ifNoneMatch,
            ],
            successes: [
                Success(
                    status: 200, description: "A file; index.html at the root.", contents: Content.bytes("*/*"),
                    headers: [Header("ETag", .string()), Header("Content-Security-Policy", .string())]),
                Success(
                    status: 303, description: "The token of the query is now in a cookie.",
                    headers: [
                        Header(
                            "Location", .string(format: "uri-reference"), "The same address without the token.")
                    ]), .notModified,
            ], handling: .whole { $0.page.file($1) }),
    ]
}
