import Gallery
import Replay
import Viewport

// Recorded scrolls, as the API writes them.
extension Schema {
    static let traceHeader = object(
        named: "TraceHeader", "The first line of a trace.",
        fields: [
            .field("version", .constant(1)),
            .string("name?", "Text for people."),
            .integer("itemCount", "Items in the gallery.", min: 0),
            .field("viewport", .size),
            .field("layout", .layout),
        ],
        examples: [
            #"""
            {
              "version": 1, "itemCount": 12, "viewport": {"width": 600, "height": 360},
              "layout": {
                "kind": "grid", "itemWidth": 200, "itemHeight": 180, "lineSpacing": 0, "interitemSpacing": 0,
                "sectionInset": {"top": 0, "left": 0, "bottom": 0, "right": 0}, "headerHeight": 0,
                "smallSectionLimit": 0
              }
            }
            """#
        ])

    static let traceSample = object(
        named: "TraceSample", "Every other line of a trace, in time order.",
        fields: [
            .number("t", "Time since the first sample, ms.", min: 0),
            .number("y", "Scroll position, CSS pixels."),
            .string("phase?", "What moved the content, as in an update."),
            .field("hint?", .hint),
        ], examples: [#"{"t":16.7,"y":42.5,"phase":"wheel"}"#])

    static let record = object(
        named: "Record",
        """
        The last minute of a session. Times are milliseconds since `start`, positions CSS pixels of the layout in force.
        """,
        fields: [
            .field("version", .constant(1)),
            .integer("itemCount", "Items in the gallery.", min: 0),
            .field("viewport", .size),
            .field("layout", .layout),
            .string(
                "policy", "The policy. A simulation may also have oracle.",
                values: Replay.Player.all.map(\.description)),
            .boolean("prefetching", "Whether pictures are requested before they are visible."),
            .number("start", "Time of the record's begin by the clock of the updates, ms."),
            .number("end", "Length of the record.", in: 0...ScrollRecord.duration),
            .array("samples", "The scroll positions.", of: .traceSample, max: ScrollRecord.maximumSamples),
            .array(
                "exposure", "Visible cells and those without their picture, until the next element.",
                of: .object(fields: [
                    .number("t", "Time.", min: 0), .integer("visible", "Visible cells.", min: 0),
                    .integer("blank", "Visible cells without their picture.", min: 0),
                ]), max: ScrollRecord.maximumMoments + 1),
            .array("stops", "Expected ends of the scroll.", of: .recordedStop, max: ScrollRecord.maximumStops),
            .array(
                "held", "Items whose pictures the page had before: first and last item of each run.",
                of: .array(of: .integer(min: 0), max: 2)),
            .array(
                "pictures", "The wanted pictures, in the order in which the policy began to want them.",
                of: .recordedPicture, max: ScrollRecord.maximumPictures),
        ],
        examples: [
            #"""
            {
              "version": 1, "itemCount": 12, "viewport": {"width": 600, "height": 360},
              "layout": {"kind": "grid", "itemWidth": 200, "itemHeight": 180},
              "policy": "lookahead", "prefetching": true, "start": 1204.5, "end": 800,
              "samples": [{"t": 0, "y": 0, "phase": "wheel"}], "exposure": [{"t": 0, "visible": 6, "blank": 1}],
              "stops": [{"t": 0, "y": 720, "confidence": 0.8}], "held": [[0, 4]],
              "pictures": [{
                "item": 12, "top": 720, "height": 180, "wanted": 0, "reason": "landing", "neededIn": 310, "place": 0,
                "requested": 12, "arrived": 180, "seen": 431, "bytes": 51234
              }]
            }
            """#
        ])

    static let recordedStop = object(
        named: "RecordedStop", "An expected end of the scroll, until the next one.",
        fields: [
            .number("t", "Time."), .number("y", "The expected scroll position."),
            .number("confidence", "From 0 (a guess) to 1 (certain).", in: 0...1),
        ])

    static let recordedPicture = object(
        named: "RecordedPicture", "A picture that the policy wanted once. An item can occur several times.",
        fields: [
            .integer("item", "The item.", min: 0),
            .number("top", "Top of its cell."),
            .number("height", "Height of its cell.", min: 0),
            .number("wanted", "When the policy began to want the picture.", min: 0),
            .string(
                "reason",
                """
                visible: in view. path: passes through the view. landing: in view at the expected stop. preview: passes too \
                fast for its picture, not for its preview. next: a next gesture may show it. hint: the person points at its \
                place. unfinished: its download is nearly done. policy: no more specific reason.
                """, values: WantReason.names),
            .number("neededIn", "Expected time until it was needed.", min: 0),
            .integer("place", "Number of wanted pictures that were more urgent.", min: 0),
            .number("requested?", "When its download began; absent if none was seen to run.", min: 0),
            .string(
                "waitedFor?",
                """
                What the begin of its download used up, so that it has probably waited for that. host: the downloads from its \
                host. server: all downloads of the server. retry: a failure or a pause of its host.
                """, values: ["host", "server", "retry"]),
            .integer("limit?", "Maximum number of those downloads at once, for its urgency.", min: 1),
            .number("arrived?", "When its thumbnail was sent.", min: 0),
            .number("failed?", "When it failed.", min: 0),
            .number("cancelled?", "When the policy no longer wanted it, before it arrived.", min: 0),
            .string("cause?", "Why it was cancelled.", values: CancelCause.names),
            .number("seen?", "When it was first in view with its thumbnail sent.", min: 0),
            .integer(
                "bytes?",
                "Bytes downloaded for it if the session has its own network; otherwise those of its thumbnail.", min: 0),
        ])

    static let recordEvent = object(
        named: "RecordEvent", "Changes of the record since the last event.",
        fields: [
            .number("start", "Time of the record's begin, as in Record."),
            .number("end", "Length of the record, ms.", in: 0...ScrollRecord.duration),
            .array("stops", "The stops that were added.", of: .recordedStop, max: ScrollRecord.maximumStops),
            .array("pictures", "The pictures that changed.", of: .recordedPicture, max: ScrollRecord.maximumPictures),
        ],
        examples: [
            #"""
            {
              "start": 1204.5, "end": 800, "stops": [{"t": 790, "y": 720, "confidence": 0.8}],
              "pictures": [{
                "item": 12, "top": 720, "height": 180, "wanted": 790, "reason": "landing", "neededIn": 310, "place": 0
              }]
            }
            """#
        ])
}
