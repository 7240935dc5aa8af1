import Gallery
import Media

// Items of galleries and their facts, as the API writes and reads them.
extension Schema {
    static let itemID = named(
        "ItemID",
        .string(
            "Identifies a picture by its path or address: the same after restarts, sorting, filtering and additions.",
            pattern: #"^[A-Za-z0-9_-]{11}$"#
        ).examples(#""yPLWEkDOQlE""#))

    static let version = named(
        "Version",
        .string(
            "Identifies the content of a picture: changes if its bytes change. Missing if unknown.",
            pattern: #"^[A-Za-z0-9_-]{11}$"#
        ).examples(#""q0zQ5cWf3bA""#))

    static let item = object(
        named: "Item",
        fields: [
            .integer("item", "Its index in the gallery.", min: 0),
            .field("id", .itemID),
            .field("version?", .version),
            .integer("original?", "Its index in the arranged gallery; arrangements only.", min: 0),
            .string("title", "Text for people."),
            .string("file?", "File name, as used for a download; missing if unknown."),
            .integer("section", "Index of its section.", min: 0),
            .integer("width?", "In pixels; missing if unknown.", min: 1),
            .integer("height?", "In pixels; missing if unknown.", min: 1),
            .integer("bytes?", "Size of the original; missing until the index has read it.", min: 0),
            .string(
                "thumbHash?",
                "A ThumbHash placeholder, 21 to 25 bytes in base64; present once the picture has been rendered.",
                encoding: "base64"),
            .object(
                "taken?", "When the picture was taken; missing if unknown.",
                fields: [
                    .string("time", "Local time, without a zone.")
                ]),
            .number("duration?", "Duration of a video in seconds; missing if unknown.", above: 0),
            .string(
                "kind?",
                """
                live: its video is a file beside it. motion: its video is in the picture's file. Missing for still \
                pictures, and until the index has read the file.
                """, values: ["live", "motion"]),
            .boolean(
                "damaged?",
                """
                Present and true if the file is incomplete or damaged, so that a part of the picture is missing or \
                wrong; known once it has been rendered.
                """),
            .string("color?", "Its main colour, if the list has it.", pattern: #"^#[0-9a-f]{6}$"#),
            .string(
                "state", "Whether its thumbnail is not requested, queued, loading, ready or failed.",
                values: API.ItemState.names),
        ])

    static let facts = object(
        named: "Facts",
        fields: [
            .integer("item", "Its index in the gallery.", min: 0),
            .field("id", .itemID),
            .field("version?", .version),
            .string("title", "Text for people."),
            .string("name?", "File name of the picture."),
            .string("path?", "Path of the file in the gallery's folder."),
            .integer("section", "Index of its section.", min: 0),
            .integer("width?", "Of the upright picture, in pixels.", min: 1),
            .integer("height?", "Of the upright picture, in pixels.", min: 1),
            .integer("bytes?", "Size of the original.", min: 0),
            .string("mediaType?", "Media type of the original."),
            .object(
                "taken?", "When it was taken.",
                fields: [
                    .string(
                        "time", "Local time where it was taken, to the millisecond if known.",
                        pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?$"#),
                    .string(
                        "offset?", "Offset of the local time from UTC, if known.", pattern: #"^[+-][0-9]{2}:[0-9]{2}$"#),
                    .string(
                        "source",
                        """
                        Source of the time: a file beside it, EXIF, XMP, the container, GPS, the file name, or the \
                        file's modification time, which is a guess.
                        """, values: PictureFacts.DateSource.names),
                    .string(
                        "offsetSource?",
                        """
                        If the source gives the time in UTC: the offset follows from the local time in the file's name, \
                        or is that of the server's time zone (TZ).
                        """, values: PictureFacts.OffsetSource.names),
                ]),
            .object(
                "camera?", "The camera, as named in the file.",
                fields: [
                    .string("make?", "Manufacturer."),
                    .string("model?", "Model."),
                    .string("lens?", "Lens."),
                ]),
            .object(
                "exposure?", "Exposure.",
                fields: [
                    .number("seconds?", "Exposure time.", min: 0),
                    .number("aperture?", "F-number.", min: 0),
                    .integer("iso?", "ISO sensitivity.", min: 1),
                    .number("focalLength?", "In millimetres.", min: 0),
                ]),
            .object(
                "location?", "Where it was taken.",
                fields: [
                    .number("latitude", "Degrees north.", in: -90...90),
                    .number("longitude", "Degrees east.", in: -180...180),
                    .number("altitude?", "Metres above the sea."),
                ]),
            .string("description?", "Description in the file."),
            .integer("rating?", "Number of stars.", in: 0...5),
            .string(
                "kind?",
                """
                live: its video is a file beside it, named in pairedWith. motion: its video is in the picture's \
                file. Missing for still pictures.
                """, values: ["live", "motion"]),
            .number("duration?", "Duration of a video in seconds; missing if unknown.", above: 0),
            .array(
                "pairedWith?",
                """
                Names of files beside it that belong to the picture and are not items themselves: its RAW file or \
                the video of a Live Photo. Missing if there are none.
                """, of: .string()),
            .boolean(
                "damaged?", "Present and true if the file is incomplete or damaged; known once it has been rendered."),
        ],
        examples: [
            #"""
            {
              "item": 7, "id": "yPLWEkDOQlE", "version": "q0zQ5cWf3bA", "title": "IMG 0008",
              "name": "IMG_0008.jpg", "path": "2019/IMG_0008.jpg", "section": 0, "width": 4000, "height": 3000,
              "bytes": 3901234, "mediaType": "image/jpeg",
              "taken": {"time": "2019-07-12T14:03:22.25", "offset": "+02:00", "source": "exif"},
              "camera": {"make": "Canon", "model": "Canon EOS 5D", "lens": "EF35mm f/2"},
              "exposure": {"seconds": 0.004, "aperture": 2.8, "iso": 400, "focalLength": 35},
              "location": {"latitude": 47.37, "longitude": 8.54, "altitude": 408}, "description": "By the lake",
              "rating": 4, "pairedWith": ["DSCF0001.RAF"]
            }
            """#
        ])

    static let itemPage = object(
        named: "ItemPage",
        fields: [
            .integer("from", "The first item of the page.", min: 0),
            .array("items", "Fewer than requested at the end of the gallery.", of: .item, max: 1000),
        ],
        examples: [
            #"""
            {
              "from": 7,
              "items": [
                {
                  "item": 7, "id": "yPLWEkDOQlE", "title": "8", "file": "8.jpg", "section": 0, "width": 300,
                  "height": 200, "state": "absent"
                }
              ]
            }
            """#
        ])
}
