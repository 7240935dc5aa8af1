import Gallery
import Replay

extension Route {
    static let sessions: [Route] = [
        Route(
            .post, APIPath.sessions, .view, "openSession", .sessions, "Open a session",
            details: "A session is one viewport. It ends 60 s after its last event stream closes (--session-grace).",
            body: .json(.newSession), successes: [.located("Opened.", .session, at: "The session.")],
            handling: .whole { $0.open($1) }),
        Route(
            .get, "\(APIPath.sessions)/{s}", .view, "getSession", .sessions, "Get a session",
            successes: [.json("The session.", .session)], handling: .whole { $0.getSession($1) }),
        Route(
            .patch, "\(APIPath.sessions)/{s}", .ownSession, "changeSession", .sessions,
            "Change layout, policy, prefetching or viewport",
            details: """
                The response is sent when the new layout is ready. Until then other requests use the current layout.
                """, body: .json(.sessionChange),
            successes: [.json("Changed; the item at the top of the viewport stays there.", .session)],
            handling: .whole { $0.change($1) }),
        Route(
            .delete, "\(APIPath.sessions)/{s}", .ownSession, "deleteSession", .sessions, "End a session",
            successes: [.noContent("Ended; work for this session only is cancelled.")],
            handling: .whole { $0.close($1) }),
        Route(
            .post, "\(APIPath.sessions)/{s}/close", .ownSession, "closeSession", .sessions,
            "End a session, for navigator.sendBeacon", successes: [.noContent("Ended.")],
            handling: .whole { $0.close($1) }),
        Route(
            .post, "\(APIPath.sessions)/{s}/viewport", .ownSession, "updateViewport", .sessions,
            "Update the viewport",
            details: """
                At most --max-updates a second. An update with a new width waits for its layout; other updates do not.
                """, body: .json(.update), successes: [.json("The plan.", .plan)],
            handling: .whole { $0.viewport($1) }),
        Route(
            .post, "\(APIPath.sessions)/{s}/scroll", .ownSession, "scroll", .sessions,
            "Scroll the viewport; pages follow", body: .json(.scrollCommand),
            successes: [.json("Moved.", .session, status: 202)], failures: [.moved],
            handling: .whole { $0.scroll($1) }),
        Route(
            .get, "\(APIPath.sessions)/{s}/events", .view, "listen", .sessions, "Open the event stream",
            details: """
                A session can have several streams. After a reconnect with Last-Event-ID the visible pictures that are \
                missing are sent, and nothing is sent twice. With `with` one stream carries several sessions: event ids \
                are SESSION.NUMBER, each session that ends sends bye, and the stream ends with the last session.
                """,
            parameters: [
                .header("Last-Event-ID", "Id of the last event received.", example: #""41""#),
                .query(
                    "lastEventID", "The same, for clients that cannot set headers; the header overrides it.",
                    .string(), example: #""41""#),
                .query(
                    "with",
                    """
                    Ids of up to 31 more sessions for this stream, separated by commas. May be empty: event ids then have \
                    the form SESSION.NUMBER, too. lastEventID then has the last event of each session: SESSION.41,OTHER.7.
                    """, .string(), example: #""""#),
                .query(
                    "only",
                    """
                    Names of the events to send, separated by commas; the default is all except progress, record \
                    and audience. bye is always sent.
                    """, .string(), example: #""thumbnail,failed""#),
                .query(
                    "except",
                    """
                    Leaves out the plans after updates, for a client that takes them from the responses. Plans that change \
                    without an update are sent.
                    """, .values(["plan"]), example: #""plan""#),
            ], successes: [.stream], events: StreamEvent.ofSession, handling: .whole { $0.events($1) }),
        Route(
            .get, "\(APIPath.sessions)/{s}/layout", .view, "getLayout", .sessions, "Get the frames of cells",
            parameters: [
                IntegerParameter.firstFrame(in: 0...Settings.maximumItems).parameter,
                IntegerParameter.endOfFrames(in: 0...Int(Int32.max)).parameter, .ifNoneMatch,
            ],
            successes: [
                Success(
                    status: 200,
                    description: """
                        JSON; or, if items are in rows and no sections share a row, binary rows: u16 height, u8 count, \
                        count x u16 width, in whole CSS pixels, little-endian.
                        """, contents: [.json(.frames)] + Content.bytes("application/octet-stream"),
                    headers: [Header("ETag", .string(), "For rows only.")]), .notModified,
            ], failures: [.notAcceptable], handling: .whole { $0.layout($1) }),
        Route(
            .get, "\(APIPath.sessions)/{s}/layout/index", .view, "getLayoutIndex", .sessions,
            "Get the top of every 1000th item",
            successes: [
                Success(
                    status: 200,
                    description:
                        "One u32 each, in whole CSS pixels, little-endian; the last one is the content height.",
                    contents: Content.bytes("application/octet-stream"))
            ], handling: .whole { $0.layoutIndex($1) }),
        Route(
            .get, "\(APIPath.sessions)/{s}/trace", .view, "getTrace", .sessions,
            "Get the last two minutes of scrolling, for lookahead replay",
            successes: [
                Success(
                    status: 200, description: "A TraceHeader, then one TraceSample per line.",
                    contents: [
                        Content(
                            type: "application/x-ndjson", schema: .string(),
                            example: #"""
                                "{\"version\":1,\"itemCount\":12,\"viewport\":{\"width\":600,\"height\":360},\"layout\":{\"kind\":\"grid\",\"itemWidth\":200,\"itemHeight\":180}}\n{\"t\":16.7,\"y\":42.5,\"phase\":\"wheel\"}\n"
                                """#)
                    ])
            ], handling: .whole { $0.trace($1) }),
        Route(
            .get, "\(APIPath.sessions)/{s}/record", .view, "getRecord", .sessions,
            "Get the last minute: the scroll, and what became of each wanted picture",
            details: """
                At most the last 7,200 samples and 4,096 pictures. A new layout restarts the record. lookahead replay reads it \
                like a trace.
                """,
            successes: [.json("The record.", .record)], handling: .whole { $0.record($1) }),
        Route(
            .get, "\(APIPath.sessions)/{s}/simulation", .view, "simulate", .sessions,
            "Simulate the last minute with another policy or network",
            details: """
                The same scroll in virtual time, from the same pictures on the page, at a simulated origin of small pictures. \
                `start` is that of the record.
                """,
            parameters: [
                .query(
                    "policy", "A policy, or oracle, which knows the scroll in advance. Default: lookahead.",
                    .values(Replay.Player.all.map(\.description)), example: #""collection-view""#),
                .query("latency", "Median time to the first byte, ms.", API.simulatedLatency.schema, example: "150"),
                .query("bandwidth", "Bandwidth in Mbit/s.", API.simulatedBandwidth.schema, example: "8"),
            ], successes: [.json("The record of the simulation.", .record)], failures: [.noScroll],
            handling: .whole { $0.simulate($1) }),
        Route(
            .get, "\(APIPath.follow)/{f}", .view, "getFollowed", .sessions, "Get the viewport of a followed session",
            details: "For followers: this id is read-only and does not reveal the session's id.",
            successes: [.json("The current viewport.", .followed)], handling: .whole { $0.getFollowed($1) }),
        Route(
            .get, "\(APIPath.follow)/{f}/events", .view, "follow", .sessions, "Follow a session",
            details: """
                At most 30 plans a second; outdated plans are skipped. Followers never delay the followed session.
                """,
            parameters: [
                .query(
                    "name", "Name of the follower, shown to the followed person: at most 80 bytes of UTF-8.",
                    .string(maxLength: Session.maxNameLength), example: #""Grace""#),
                .query(
                    "session",
                    """
                    Id of the follower's own session on the same gallery. The followed person then sees its place, but \
                    not its id. Ignored if this server has no such session.
                    """, .string(maxLength: Session.maxNameLength), example: #""9f86d081884c7d659a2feaa0c55ad015""#),
            ], successes: [.stream],
            events: [
                StreamEvent("hello", .followed, "The stream is open, or the name has changed."),
                StreamEvent("plan", .plan, "The viewport has moved; at most 30 a second."),
                StreamEvent("bye", .byeEvent, "The session has ended."),
            ], handling: .whole { $0.follow($1) }),
    ]
}

extension IntegerParameter {
    static func firstFrame(in range: ClosedRange<Int>) -> IntegerParameter {
        IntegerParameter(
            name: "from", description: "The first item; at most the number of items.", range: range, defaultValue: 0,
            example: 0)
    }

    static func endOfFrames(in range: ClosedRange<Int>) -> IntegerParameter {
        IntegerParameter(
            name: "to",
            description: "The item after the last one; the default is from + 1000, the maximum from + 5000.",
            range: range, example: 100)
    }
}

extension StreamEvent {
    fileprivate static let ofSession = [
        StreamEvent("hello", .session, "The stream is open."),
        StreamEvent("thumbnail", .thumbnailEvent, "A picture has arrived."),
        StreamEvent("failed", .failedEvent, "A picture failed."),
        StreamEvent(
            "plan", .plan,
            """
            The plan has changed. At most 30 a second; outdated plans are skipped, the last one is always sent. A client \
            that posts an update gets its plan in the response.
            """),
        StreamEvent("stats", .statsEvent, "Once a second."),
        StreamEvent(
            "progress", .progressEvent,
            "Progress of each wanted picture, up to ten times a second while it changes; only if requested by `only`."),
        StreamEvent(
            "record", .recordEvent,
            "The pictures of the record that changed, up to ten times a second; only if requested by `only`."),
        StreamEvent("scroll", .scrollEvent, "The session was scrolled through the API; pages follow."),
        StreamEvent(
            "layout", .layoutEvent,
            """
            The session's layout did not know the shapes of some pictures. PATCH the session with its layout to update \
            it; the item at the top stays.
            """),
        StreamEvent("gallery", .gallery, "The gallery's items have changed; open a new session to show them."),
        StreamEvent("followers", .followersEvent, "Somebody follows the session, or has left it."),
        StreamEvent(
            "audience", .audienceEvent,
            "The places of followers who named their sessions, up to twice a second; only if requested by `only`."),
        StreamEvent("bye", .byeEvent, "The server closes the stream."),
    ]
}
