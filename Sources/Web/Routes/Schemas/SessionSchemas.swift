import Gallery
import Viewport

// Sessions, viewports, plans and layouts, as the API writes and reads them.
extension Schema {
    static let range = object(
        named: "Range", "A half-open range of items: from <= item < to.",
        fields: [
            .integer("from", "The first item of the range.", min: 0),
            .integer("to", "The item after the last one.", min: 0),
        ])

    static let size = object(
        named: "Size",
        fields: [
            .number("width", "CSS pixels.", in: ViewportUpdate.viewportLengths),
            .number("height", "CSS pixels.", in: ViewportUpdate.viewportLengths),
        ])

    static let insets = object(
        named: "Insets", "CSS pixels around a section.",
        fields: ["top?", "left?", "bottom?", "right?"].map {
            .number($0, "CSS pixels.", in: LayoutOptions.spacings, default: 0)
        })

    static let gridLayout = layout(
        named: "GridLayout", "Cells of one size in rows.", kind: "grid",
        lengths: [("itemWidth", "Width of a cell, CSS pixels."), ("itemHeight", "Height of a cell, CSS pixels.")],
        small: """
            Sections with at most this many items, each in one row, are placed side by side; their headers are at least \
            72 CSS pixels wide. 0: each section starts a new row.
            """)

    static let justifiedLayout = layout(
        named: "JustifiedLayout", "Rows of one height, filled with pictures in their own shapes.", kind: "justified",
        lengths: [("rowHeight", "Height of a row, CSS pixels.")],
        small: """
            Sections with at most this many items, each in one row, are placed side by side, the left inset apart; their \
            headers are at least 72 CSS pixels wide, and their row is stretched by at most a third. 0: each section \
            starts a new row.
            """)

    static let masonryLayout = layout(
        named: "MasonryLayout", "Columns of one width.", kind: "masonry",
        lengths: [("columnWidth", "Minimum width of a column, CSS pixels.")],
        small: """
            Sections with at most this many items are placed side by side, each item in its own column. 0 for none.
            """)

    private static func layout(
        named name: String, _ description: String, kind: String, lengths: [(name: String, description: String)],
        small: String
    ) -> Schema {
        let spacing: [Field] = [
            .number("lineSpacing?", "CSS pixels between rows.", in: LayoutOptions.spacings, default: 0),
            .number(
                "interitemSpacing?",
                "Minimum CSS pixels between the items of a row; a grid distributes spare space here.",
                in: LayoutOptions.spacings, default: 0),
            .field("sectionInset?", .insets),
            .number(
                "headerHeight?", "Height of a section's header, CSS pixels.", in: LayoutOptions.spacings, default: 0),
            .integer("smallSectionLimit?", small, in: LayoutOptions.smallSectionBounds, default: 0),
        ]
        return object(
            named: name, description,
            fields: [.field("kind", .constant(.string(kind)))]
                + lengths.map { .number($0.name, $0.description, in: LayoutOptions.cellLengths) } + spacing)
    }

    static let layout = named(
        "Layout",
        .oneOf([
            .gridLayout,
            .justifiedLayout,
            .masonryLayout,
        ]).discriminated(by: "kind"))

    static let policyName = named(
        "PolicyName",
        .string(
            "Decides which items to fetch ahead; GET /api/v1/policies describes each.",
            values: PolicyName.names))

    static let policies = object(
        named: "Policies",
        fields: [
            .array(
                "policies", "All policies of a session.",
                of: .object(fields: [
                    .field("name", .policyName),
                    .string("summary", "What it does, in one line."),
                    .boolean("isStandard", "Whether it is the default."),
                ]))
        ],
        examples: [
            #"""
            {
              "policies": [
                {
                  "name": "lookahead",
                  "summary": "Fetches in the order you'll see them: predicts where the scroll lands, skips what flies past.",
                  "isStandard": true
                },
                {
                  "name": "operation-queue",
                  "summary": "Visible items only; cancels those that leave the view.", "isStandard": false
                }
              ]
            }
            """#
        ])

    static let newSession = object(
        named: "NewSession",
        fields: [
            .string("gallery", "Id of a gallery.", maxLength: 200),
            .object(
                "viewport", "Size of the viewport. Refused if it would show more than about 10,000 items at once.",
                fields: [
                    .number("width", "CSS pixels.", in: ViewportUpdate.viewportLengths),
                    .number("height", "CSS pixels.", in: ViewportUpdate.viewportLengths),
                    .number(
                        "pixelRatio?", "Device pixels per CSS pixel; thumbnails are rendered accordingly.",
                        in: SizeChange.pixelRatios, default: 1),
                    .number("scrollTop?", "Initial scroll position, CSS pixels.", default: 0),
                    .field("anchor?", .anchor),
                ]),
            .field("layout?", .layout, "The default is a grid of 200 x 180 cells, 8 px apart."),
            .field("policy?", .policyName),
            .boolean("prefetching?", "Whether items are fetched before they are visible.", default: true),
            .field("name?", .presenterName),
            .boolean(
                "cold?",
                """
                The session uses no cache and shares nothing: every picture is fetched and rendered again, and the \
                network is measured only for this session. Use two cold sessions to compare policies. A server \
                allows 4 at once, not counting those with a share; each stops downloading after 128 MB, and its \
                downloads count towards the limits per host.
                """, default: false),
            .number(
                "share?",
                """
                Share of the demo origin's bandwidth reserved for this session; the demo's gallery only. Such a \
                session is cold, and other downloads do not slow it down.
                """, in: SessionLane.shares),
            .field(
                "network?", .network,
                """
                Conditions of the demo's network for this session only; the demo's gallery only. Such a session has \
                a share of 1 unless it names one.
                """),
        ],
        examples: [
            #"""
            {
              "gallery": "pictures", "viewport": {"width": 1200, "height": 900, "pixelRatio": 2},
              "layout": {"kind": "grid", "itemWidth": 200, "itemHeight": 180}
            }
            """#
        ])

    static let anchor = object(
        named: "Anchor", "Initial scroll position, given by an item; overrides scrollTop.",
        fields: [
            .integer("item", "Less than itemCount.", min: 0),
            .number("fraction?", "Position in the item's height: 0 is its top, 1 its bottom.", default: 0),
            .number("at?", "Where that position is, CSS pixels below the top of the viewport.", default: 0),
        ], examples: [#"{"item":500,"fraction":0.25,"at":56}"#])

    static let sessionChange = object(
        named: "SessionChange", "Missing members stay unchanged.",
        fields: [
            .object(
                "viewport?",
                """
                Size of the viewport; missing members stay unchanged. Refused if it would show more than about \
                10,000 items at once.
                """,
                fields: [
                    .number("width?", "CSS pixels.", in: ViewportUpdate.viewportLengths),
                    .number("height?", "CSS pixels.", in: ViewportUpdate.viewportLengths),
                    .number("pixelRatio?", "Device pixels per CSS pixel.", in: SizeChange.pixelRatios),
                ]),
            .field("layout?", .layout),
            .field("policy?", .policyName),
            .boolean("prefetching?", "Whether items are fetched before they are visible."),
            .string(
                "audiencePrefetching?",
                """
                half turns prefetching off in every second session of the followers who named theirs, and audience \
                events compare both halves. all turns it on again, as does the end of following.
                """, values: AudiencePrefetching.names),
            .field("name?", .presenterName),
            .field("viewing?", .integer("The item open in the viewer, for followers; null for none.", min: 0).orNull),
            .boolean(
                "retry?", "true tries the host of the first visible item again now, if it is paused after failures."),
            .field(
                "network?", .network,
                "Changes the session's own network. Refused if the session was opened with neither network nor share."),
        ], examples: [#"{"policy":"collection-view","viewport":{"height":600}}"#])

    /// Members that a session and its followers have in common.
    private static let shownFields: [Field] = [
        .field("name", .presenterName),
        .string("gallery", "Id of the gallery."),
        .integer("itemCount", "Items in the gallery.", min: 0),
        .number("contentHeight", "Height of the content, CSS pixels.", min: 0),
        .field("layout", .layout),
        .field("policy", .policyName),
        .boolean(
            "prefetching",
            "Whether items are fetched before they are visible, unless a followed person has turned it off."),
        .field("viewport", .viewport),
        .field("visible", .range),
        .integer("viewing?", "The item open in the viewer; missing if there is none.", min: 0),
    ]

    static let session = object(
        named: "Session",
        fields: shownFields + [
            .string("id", "Secret: anyone who knows it can scroll the session."),
            .boolean("cold?", "Whether the session shares nothing with others."),
            .number(
                "share?", "Share of the demo origin's bandwidth reserved for the session, if any.",
                in: SessionLane.shares),
            .object(
                "paused?",
                "Set if the host of the first visible item is paused after failures, or because it asked for a pause.",
                fields: [
                    .string("reason", "The error of the latest download, for people."),
                    .integer("retryAfter", "Seconds until the next try.", min: 0),
                ]),
            .integer("seq", "Number of the last accepted update; -1 before the first.", min: -1),
            .string("events", "Path of the event stream.", format: "uri-reference"),
            .string("follow", "Path for followers; append /events for their stream.", format: "uri-reference"),
            .field("counts", .counts),
        ],
        examples: [
            #"""
            {
              "id": "9f86d081884c7d659a2feaa0c55ad015", "name": "", "gallery": "pictures", "itemCount": 12,
              "contentHeight": 720,
              "layout": {
                "kind": "grid", "itemWidth": 200, "itemHeight": 180, "lineSpacing": 0, "interitemSpacing": 0,
                "sectionInset": {"top": 0, "left": 0, "bottom": 0, "right": 0}, "headerHeight": 0,
                "smallSectionLimit": 0
              },
              "policy": "lookahead", "prefetching": true,
              "viewport": {"width": 600, "height": 360, "pixelRatio": 1, "scrollTop": 180}, "cold": false,
              "visible": {"from": 3, "to": 9}, "seq": 4,
              "events": "/api/v1/sessions/9f86d081884c7d659a2feaa0c55ad015/events",
              "follow": "/api/v1/follow/60303ae22b998861bce3b28f33eec1be",
              "counts": {"queued": 2, "loading": 1, "ready": 9, "failed": 0, "cancelled": 0, "wastedBytes": 0}
            }
            """#
        ])

    static let viewport = object(
        named: "Viewport",
        fields: [
            .number("width", "CSS pixels.", in: ViewportUpdate.viewportLengths),
            .number("height", "CSS pixels.", in: ViewportUpdate.viewportLengths),
            .number("pixelRatio", "Device pixels per CSS pixel.", in: SizeChange.pixelRatios),
            .number("scrollTop", "Scroll position, CSS pixels.", min: 0),
        ])

    static let presenterName = named(
        "PresenterName",
        .string("Name of the person, shown to followers; may be empty.", maxLength: Session.maxNameLength))

    static let followed = object(
        named: "Followed",
        fields: shownFields + [
            .string("events", "Path of the followers' event stream.", format: "uri-reference"),
            .integer("followers", "Number of followers.", min: 0),
        ],
        examples: [
            #"""
            {
              "name": "Ada", "gallery": "pictures", "itemCount": 12, "contentHeight": 720,
              "layout": {
                "kind": "grid", "itemWidth": 200, "itemHeight": 180, "lineSpacing": 0, "interitemSpacing": 0,
                "sectionInset": {"top": 0, "left": 0, "bottom": 0, "right": 0}, "headerHeight": 0,
                "smallSectionLimit": 0
              },
              "policy": "lookahead", "prefetching": true,
              "viewport": {"width": 600, "height": 360, "pixelRatio": 1, "scrollTop": 180},
              "visible": {"from": 3, "to": 9},
              "events": "/api/v1/follow/60303ae22b998861bce3b28f33eec1be/events", "followers": 1
            }
            """#
        ])

    static let update = object(
        named: "Update",
        fields: [
            .integer(
                "seq", "Increases with every update; an update that is not above the last accepted one is ignored.",
                in: 0...9_007_199_254_740_992),
            .number(
                "time", "When the viewport was there, by the page's clock, ms. The clock may start at any time.",
                in: -1e13...1e13),
            .number("scrollTop", "Scroll position, CSS pixels; clamped to the content."),
            .number("width?", "CSS pixels; the default is the last value.", in: ViewportUpdate.viewportLengths),
            .number("height?", "CSS pixels; the default is the last value.", in: ViewportUpdate.viewportLengths),
            .string(
                "phase?", "What moves the content; drag means the scrollbar.",
                values: ScrollPhase.names),
            .field("hint?", .hint),
            .array(
                "missing?", "Visible items whose picture the page has lost; they are sent again.",
                of: .integer("An item.", min: 0), max: 5000),
        ],
        examples: [
            #"{"seq":5,"time":1204.5,"scrollTop":540,"phase":"wheel"}"#,
            #"""
            {
              "seq": 6, "time": 2310, "scrollTop": 720, "phase": "idle",
              "hint": {"kind": "scrubber", "scrollTop": 48000, "confidence": 0.6}
            }
            """#,
        ])

    static let hint = named(
        "Hint",
        .object(
            """
            Where the person may go next, as a scrollTop or an item. It never moves the viewport. The server \
            prefetches for it at most one screen at a time and, on average, one screen in two seconds. The next \
            hint replaces it, and it expires after two seconds. Only the policy lookahead uses it.
            """,
            fields: [
                .string(
                    "kind",
                    "Source of the hint: the pointer on the scrubber, the scrollbar or a cell; a held key; the viewer.",
                    values: Hint.Kind.names),
                .number("scrollTop?", "The expected scroll position, CSS pixels; clamped to the content."),
                .integer("item?", "The expected item; used if there is no scrollTop.", min: 0),
                .number("confidence?", "Probability; this part of a screen is fetched.", in: 0...1, default: 0.5),
            ]
        ).requiringAny("scrollTop", "item").examples(#"{"kind":"cell","item":512,"confidence":0.3}"#))

    static let plan = object(
        named: "Plan",
        fields: [
            .integer("seq", "Number of the update that this plan responds to; -1 before the first.", min: -1),
            .number("scrollTop", "CSS pixels, clamped.", min: 0),
            .field("visible", .range),
            .array(
                "prefetch", "Items newly requested ahead, most urgent first; none that is already requested.",
                of: .integer()),
            .array("cancel", "Items requested earlier and no longer wanted.", of: .integer()),
            .integer("ready", "Wanted items whose thumbnail was sent.", min: 0),
            .number("velocity", "CSS pixels a second; positive is downwards."),
            .object(
                "landing", "The predicted end of the scroll.",
                fields: [
                    .number("scrollTop", "Where the scroll is expected to end, CSS pixels.", min: 0),
                    .number("confidence", "From 0 (a guess) to 1 (certain).", in: 0...1),
                ]),
            .number("contentHeight", "CSS pixels.", min: 0),
        ],
        examples: [
            #"""
            {
              "seq": 5, "scrollTop": 540, "visible": {"from": 9, "to": 15}, "prefetch": [15, 16], "cancel": [],
              "ready": 6, "velocity": 1800, "landing": {"scrollTop": 720, "confidence": 0.8},
              "contentHeight": 1800
            }
            """#
        ])

    static let scrollCommand = named(
        "ScrollCommand",
        .oneOf([
            .object(fields: [
                .integer("item", "The item to scroll to the top.", min: 0),
                .field("id?", .itemID, "Id of the picture: 412 if the session's item is another one."),
                .boolean("animated?", "Whether pages scroll smoothly.", default: false),
            ]),
            .object(fields: [
                .number("scrollTop", "CSS pixels."),
                .boolean("animated?", "Whether pages scroll smoothly.", default: false),
            ]),
        ]).described("Either item or scrollTop.").examples(#"{"item":9,"animated":true}"#))

    static let frames = object(
        named: "Frames",
        fields: [
            .integer("from", "The first item.", min: 0),
            .integer("to", "The item after the last one.", min: 0),
            .integer("row?", "Row of the first item; justified layouts only.", min: 0),
            .integer("rowCount?", "Number of rows in the layout; justified layouts only.", min: 0),
            .array(
                "frames", "x, y, width and height of each item in turn, CSS pixels, rounded to hundredths.",
                of: .number(), max: 20_000),
        ], examples: [#"{"from":2,"to":4,"frames":[400,0,200,180,0,180,200,180]}"#])
}
