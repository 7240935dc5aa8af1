import Gallery

// Problems, metrics and the demo's origin, as the API writes and reads them.
extension Schema {
    static let problem = object(
        named: "Problem", "An error (RFC 9457).",
        fields: [
            .string("type", "Always about:blank: the status is the kind of the error.", format: "uri-reference"),
            .string("title", "The reason phrase of the status."),
            .integer("status", "The HTTP status.", in: 400...599),
            .string("detail", "What is wrong and what to change, for people."),
            .string("field?", "JSON pointer to the invalid field; for a query parameter, / and its name."),
        ],
        examples: [
            #"""
            {
              "type": "about:blank", "title": "Unprocessable Content", "status": 422,
              "detail": "/viewport/width must be from 1 to 100000.", "field": "/viewport/width"
            }
            """#
        ])

    static let labels = named("Labels", .map(of: .string()))

    static let metrics = named(
        "Metrics",
        .map(
            """
            The metrics of /metrics without the prefix lookahead_; one entry for each set of labels. \
            slow_handlers_total counts, by route, requests whose handler blocked all others for more than 5 ms; \
            it should be 0.
            """,
            of: .array(
                of: .oneOf([
                    .object(
                        "A counter or a gauge.",
                        fields: [
                            .field("labels", .labels),
                            .number("value", "Value of the counter or gauge."),
                        ]),
                    .object(
                        "A histogram.",
                        fields: [
                            .field("labels", .labels),
                            .integer("count", "Number of observations.", min: 0),
                            .number("sum", "In seconds.", min: 0),
                            .array(
                                "buckets", "Cumulative counts.",
                                of: .object(fields: [
                                    .number("le", "Upper bound in seconds.", min: 0),
                                    .integer("count", "Number of observations up to the bound.", min: 0),
                                ])),
                        ]),
                ]))
        ).examples(
            #"""
            {
              "sessions": [{"labels": {}, "value": 1}],
              "tasks_total": [{"labels": {"result": "ready"}, "value": 9}],
              "render_seconds": [
                {
                  "labels": {}, "count": 9, "sum": 0.027,
                  "buckets": [{"le": 0.0025, "count": 2}, {"le": 0.005, "count": 9}]
                }
              ]
            }
            """#))

    static let conditions = object(
        named: "Conditions",
        fields: [
            .number("latency", latency, in: 0...60_000), .number("jitter", jitter, in: 0...3),
            .field(
                "bandwidth", .number("Mbit/s shared by all downloads; null for no limit.", in: 0.01...100_000).orNull),
            .number("failureRate", failureRate, in: 0...1),
            .integer("concurrency", "Maximum number of downloads at once.", in: 1...256),
        ])

    static let network = object(
        named: "Network", "Conditions of one session's network. Missing members are those of the demo.",
        fields: changes)

    static let conditionsChange = object(
        named: "ConditionsChange", "Missing members stay unchanged.",
        fields: changes + [.integer("concurrency?", "Downloads at once.", in: API.concurrencies)],
        examples: [#"{"latency":300,"failureRate":0.1}"#])

    private static let changes: [Field] = [
        .number("latency?", latency, in: 0...60_000), .number("jitter?", jitter, in: 0...3),
        .number("bandwidth?", "Mbit/s.", in: 0.01...100_000), .number("failureRate?", failureRate, in: 0...1),
    ]
    private static let latency = "Median time to first byte, ms."
    private static let jitter = "Spread of the latency: sigma of a log-normal factor."
    private static let failureRate = "Share of the pictures that fail."

    static let origin = object(
        named: "Origin",
        fields: [
            .field(
                "address",
                .string(
                    "Address of the origin, which serves /WIDTHxHEIGHT?text=TEXT; lists may use its pictures.",
                    format: "uri"
                ).examples(#""http://127.0.0.1:39041""#)),
            .field(
                "isChangeable",
                .boolean("Whether the caller may change the conditions; false with a view token.").examples(#"true"#)),
            .field("conditions", .conditions),
            .object(
                "counts", "Requests since the start.",
                fields: [
                    .integer("requests", "Started.", min: 0),
                    .integer("open", "Running now.", min: 0),
                    .integer("completed", "Completed.", min: 0),
                    .integer("aborted", "Aborted by the client.", min: 0),
                    .integer("failed", "Failed on purpose.", min: 0),
                    .integer("bytes", "Bytes sent.", min: 0),
                    .integer("wastedBytes", "Bytes sent for aborted requests.", min: 0),
                    .integer("peak", "Maximum number of simultaneous requests.", min: 0),
                ]),
            .array(
                "recent", "The last finished requests, oldest first.",
                of: .object(fields: [
                    .integer("number", "Starts at 1.", min: 0),
                    .string("target", "Path and query."),
                    .integer("item?", "The number in its text, if there is one.", min: 0),
                    .number("began", "Time since the start, ms.", min: 0),
                    .number("ended", "Time since the start, ms.", min: 0),
                    .string(
                        "outcome", "Completed, aborted by the client, or failed on purpose.",
                        values: ["completed", "aborted", "failed"]),
                    .integer("bytes", "Bytes sent.", min: 0),
                    .integer("totalBytes", "Bytes of the complete response.", min: 0),
                ]), max: 100),
        ],
        examples: [
            #"""
            {
              "address": "http://127.0.0.1:39041", "isChangeable": true,
              "conditions": {"latency": 80, "jitter": 0.35, "bandwidth": 25, "failureRate": 0, "concurrency": 8},
              "counts": {
                "requests": 9, "open": 1, "completed": 7, "aborted": 1, "failed": 0, "bytes": 266000,
                "wastedBytes": 9000, "peak": 8
              },
              "recent": [
                {
                  "number": 9, "target": "/600x400?text=food+8", "item": 7, "began": 8012.5, "ended": 8133.25,
                  "outcome": "completed", "bytes": 38012, "totalBytes": 38012
                }
              ]
            }
            """#
        ])
}
