import Gallery

// Events of the streams, as the API writes and reads them.
extension Schema {
    static let counts = object(
        named: "Counts",
        fields: [
            .integer("queued", "Wanted items that are waiting.", min: 0),
            .integer("loading", "Wanted items being downloaded.", min: 0),
            .integer("ready", "Thumbnails sent so far.", min: 0),
            .integer("failed", "Items that failed.", min: 0),
            .integer("cancelled", "Items that were requested and cancelled.", min: 0),
            .integer(
                "wastedBytes",
                """
                Bytes for items that were cancelled or never shown. If the session has a share of the origin, these \
                are bytes of completed downloads; otherwise an item never shown counts with the bytes of its \
                thumbnail.
                """, min: 0),
            .integer(
                "fetchedBytes?",
                "Bytes downloaded, without running downloads; only if the session has a share of the origin.", min: 0),
        ])

    static let progressEvent = object(
        named: "ProgressEvent",
        fields: [
            .array(
                "loading", "Wanted items being downloaded, most urgent first.",
                of: .object(fields: [
                    .integer("item", "An item.", min: 0),
                    .number("share", "Share of its bytes received; 0 while its size is unknown.", in: 0...1),
                ])),
            .array("queued", "Wanted items that are waiting or being rendered.", of: .integer(min: 0)),
            .array(
                "skipped", "Items on the way that are skipped because they will fly past; at most 500.",
                of: .integer(min: 0), max: 500),
        ], examples: [#"{"loading":[{"item":9,"share":0.43}],"queued":[10,11],"skipped":[]}"#])

    static let thumbnailEvent = object(
        named: "ThumbnailEvent",
        fields: [
            .integer("item", "The item.", min: 0),
            .field("id", .itemID),
            .field("version?", .version),
            .integer("width", "Of the complete thumbnail, pixels.", min: 1),
            .integer("height", "Of the complete thumbnail, pixels.", min: 1),
            .string("mediaType", "Media type of data.", values: ["image/jpeg", "image/png", "image/webp"]),
            .string(
                "tier",
                """
                preview: the preview embedded in a large file. small: a smaller picture for a slow client. full: the\
                 complete thumbnail. A better tier replaces a lower one.
                """, values: ["preview", "small", "full"]),
            .string("thumbHash", "A placeholder, 21 to 25 bytes.", encoding: "base64"),
            .string("data", "The picture.", encoding: "base64"),
        ],
        examples: [
            #"""
            {
              "item": 7, "id": "yPLWEkDOQlE", "version": "q0zQ5cWf3bA", "width": 270, "height": 180,
              "mediaType": "image/jpeg", "tier": "full", "thumbHash": "1QcSHQRnh493V4dIh4eXh1h4kJUI",
              "data": "/9j/4AAQSkZJRgABAQ=="
            }
            """#
        ])

    static let failedEvent = object(
        named: "FailedEvent",
        fields: [
            .integer("item", "The item.", min: 0),
            .string("reason", "Text for people."),
            .boolean("retryable", "Whether requesting the picture again, with missing, may help."),
            .boolean(
                "video?",
                "Present and true for a video that can be played, although this server cannot show its frames."),
        ], examples: [#"{"item":11,"reason":"the picture is gone (404)","retryable":false}"#])

    static let statsEvent = object(
        named: "StatsEvent",
        fields: [
            .number("time", "Time since the session opened, ms.", min: 0),
            .field("counts", .counts),
            .number("hitRatio", "Share of cells whose picture was ready when they became visible.", in: 0...1),
            .number("blankTime", "Cell-milliseconds visible without a picture.", min: 0),
            .number("visibleTime", "Cell-milliseconds visible.", min: 0),
            .integer("wastedBytes", "As in the counts.", min: 0),
            .number("latency", "Measured latency of downloads, ms.", min: 0),
            .number("bandwidth", "Measured bandwidth of downloads, Mbit/s.", min: 0),
            .integer("streams", "Event streams of this session.", min: 1),
            .integer("followers", "Followers of this session.", min: 0),
            .object(
                "server", "Figures of the whole server.",
                fields: [
                    .number("downloadsPerSecond", "Downloads finished.", min: 0),
                    .number("bytesPerSecond", "Bytes downloaded.", min: 0),
                    .number("cancelledPerSecond", "Downloads cancelled because they were no longer wanted.", min: 0),
                    .number(
                        "foundElsewherePerSecond?",
                        "Pictures rendered by another server; only if servers share (--redis).", min: 0),
                    .integer("queued", "Pictures waiting.", min: 0),
                    .integer("loading", "Pictures being downloaded.", min: 0),
                    .integer("rendering", "Pictures being rendered.", min: 0),
                    .integer("sessions", "Open sessions.", min: 0),
                ]),
        ],
        examples: [
            #"""
            {
              "time": 2000.5,
              "counts": {"queued": 2, "loading": 1, "ready": 9, "failed": 0, "cancelled": 0, "wastedBytes": 0},
              "hitRatio": 0.75, "blankTime": 1200, "visibleTime": 12000, "wastedBytes": 0, "latency": 102.5,
              "bandwidth": 25.5, "streams": 1, "followers": 1,
              "server": {
                "downloadsPerSecond": 41, "bytesPerSecond": 1458591, "cancelledPerSecond": 3, "queued": 2,
                "loading": 1, "rendering": 1, "sessions": 1
              }
            }
            """#
        ])

    static let layoutEvent = object(
        named: "LayoutEvent",
        fields: [
            .number("contentHeight", "Of the current layout, CSS pixels.", min: 0)
        ], examples: [#"{"contentHeight":733.5}"#])

    static let scrollEvent = object(
        named: "ScrollEvent",
        fields: [
            .number("scrollTop", "CSS pixels.", min: 0),
            .integer("item?", "The requested item, if it was an item.", min: 0),
            .boolean("animated", "Whether to scroll smoothly."),
        ], examples: [#"{"scrollTop":540,"item":9,"animated":true}"#])

    static let uploadEvent = object(
        named: "UploadEvent",
        fields: [
            .integer("upload", "Number of the upload.", min: 1),
            .string("title", "Title given in the query."),
            .string(
                "state", "abandoned: the client disconnected before the end or stalled.",
                values: ListUpload.Stage.names),
            .integer("items", "Items read so far.", min: 0),
            .integer("bytes", "Bytes received so far.", min: 0),
            .integer("totalBytes?", "Bytes of the complete list, if the client sent its length.", min: 0),
            .string("gallery?", "Id of the new gallery."),
            .string("reason?", "Why it was refused or abandoned, for people."),
        ],
        examples: [
            #"""
            {
              "upload": 3, "title": "Holidays", "state": "receiving", "items": 120000, "bytes": 6291456,
              "totalBytes": 52428800
            }
            """#
        ])

    static let removedEvent = object(
        named: "RemovedEvent",
        fields: [
            .string("id", "Id of the deleted gallery.")
        ], examples: [#"{"id":"9f86d081884c7d65"}"#])

    static let followersEvent = object(
        named: "FollowersEvent",
        fields: [
            .integer("count", "Number of followers.", min: 0),
            .array("names", "Names of the followers who gave one.", of: .string(maxLength: Session.maxNameLength)),
        ], examples: [#"{"count":2,"names":["Grace"]}"#])

    static let audienceEvent = object(
        named: "AudienceEvent",
        fields: [
            .array(
                "followers", "Followers who named their sessions, in order of joining; at most 64.",
                of: .object(fields: [
                    .integer("item", "The first visible item.", min: 0),
                    .boolean("prefetching", "Whether items are fetched before they are visible."),
                ]), max: 64),
            .array(
                "halves?", "Present if audiencePrefetching is half: the half with prefetching, then the other one.",
                of: .object(fields: [
                    .boolean("prefetching", "Whether this half has prefetching."),
                    .integer("followers", "Number of followers in this half.", min: 0),
                    .number("visibleTime", "Cell-milliseconds visible since the comparison began.", min: 0),
                    .number("blankTime", "Cell-milliseconds of these without a picture.", min: 0),
                ]), count: 2...2),
        ],
        examples: [
            #"""
            {
              "followers": [{"item": 9, "prefetching": true}, {"item": 512, "prefetching": false}],
              "halves": [
                {"prefetching": true, "followers": 1, "visibleTime": 12000, "blankTime": 240},
                {"prefetching": false, "followers": 1, "visibleTime": 12000, "blankTime": 4200}
              ]
            }
            """#
        ])

    static let byeEvent = object(
        named: "ByeEvent",
        fields: [
            .string("reason", "Text for people.")
        ], examples: [#"{"reason":"the server is stopping"}"#])
}
