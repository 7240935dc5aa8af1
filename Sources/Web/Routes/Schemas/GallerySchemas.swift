import Catalog
import Gallery

// Galleries and arrangements, as the API writes and reads them.
extension Schema {
    static let section = object(
        named: "Section",
        fields: [
            .string("title", "Its heading; empty for a gallery without sections."),
            .integer("from", "Its first item.", min: 0),
            .integer("count", "Number of its items, which are consecutive.", min: 0),
        ])

    static let gallery = object(
        named: "Gallery",
        fields: [
            .string("id", "Its name in URLs."),
            .string("title", "Text for people."),
            .integer("itemCount", "Number of items.", in: 0...Settings.maximumItems),
            .string(
                "source", "Source of its pictures: a folder, a list of URLs, or the painted demo.",
                values: CatalogKind.names),
            .integer("revision", "Increases whenever the items change.", min: 0),
            .integer(
                "arrangementLimit?",
                "Maximum number of items that can be searched, sorted and grouped; only for a gallery that has more.",
                min: 1),
            .string("of?", "Id of the arranged gallery; arrangements only."),
            .field("arrangement?", .arrangement),
            .field(
                "defaultArrangement?", .arrangement,
                """
                The arrangement that a page shows by default: newest first for a folder where most pictures have a \
                date. Missing if the page shows the gallery itself.
                """),
            .array(
                "notShown?",
                """
                Pictures and videos in the folder that cannot be shown, most frequent kind first; missing if there \
                are none.
                """,
                of: .object(fields: [
                    .string("kind", "File extension in lower case."),
                    .integer("count", "Number of files.", min: 1),
                ])),
            .array(
                "leftOut?",
                """
                Files and folders that are left out of the gallery, one entry for each reason and each pattern; \
                missing if there are none.
                """,
                of: .object(fields: [
                    .string(
                        "reason",
                        """
                        `unreadable`: a folder that cannot be read. `notUTF8`: a name that is not UTF-8. `leadsOut`:\
                         a link that leads out of the folder. `leadsNowhere`: a link without a target. `tooDeep`: a \
                        folder below the deepest one that is read. `tooMany`: beyond the maximum number of files or \
                        folders. `unexamined`: a file without an extension, beyond the 4,096 of a folder that are \
                        examined. `noMedia`: a folder that holds a file named `.nomedia`. `excluded`: a file or \
                        folder that matches `pattern`.
                        """,
                        values: LeftOutReason.names),
                    .string("pattern?", "The pattern of --exclude that leaves them out; `excluded` only."),
                    .integer("count", "Number of files and folders.", min: 1),
                    .array(
                        "names",
                        """
                        Paths of the first 20, or of the first 3 that match a pattern, relative to the folder. Bytes\
                         that are not UTF-8, and control characters, are written as `\\xe9`.
                        """, of: .string(), count: 1...20),
                ])),
            .object(
                "index?", "Progress of reading the items' metadata; missing in upload events.",
                fields: [
                    .integer("known", "Items whose metadata has been read.", min: 0),
                    .integer("of", "All items.", min: 0),
                ]),
            .object(
                "taken?", "When the first and the last picture were taken, in local time; missing if no date is known.",
                fields: [
                    .string("from", "The first.", pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"#),
                    .string("to", "The last.", pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"#),
                ]),
            .array("sections", "In order; each item is in exactly one section.", of: .section),
            .integer(
                "ignoredFieldCount?",
                "Invalid optional fields of an NDJSON upload, which were ignored; missing if there were none.", min: 1),
            .integer("problemCount?", "Lines left out of an NDJSON upload; missing if there were none.", min: 1),
            .array(
                "problems?", "The first ones.",
                of: .object(fields: [
                    .integer("line?", "Starts at 1.", min: 1),
                    .string(
                        "field?", "The invalid field, if it is a field.",
                        values: ["url", "title", "width", "height", "section", "color", "thumbHash", "blurHash"]),
                    .string("reason", "What is wrong with the line or field."),
                ])),
        ],
        examples: [
            #"""
            {
              "id": "pictures", "title": "pictures", "itemCount": 12, "source": "folder", "revision": 1,
              "defaultArrangement": {"sort": "taken", "order": "descending", "group": "month"},
              "notShown": [{"kind": "mp4", "count": 300}, {"kind": "psd", "count": 112}],
              "leftOut": [{"reason": "unreadable", "count": 1, "names": ["private"]}],
              "index": {"known": 8, "of": 12},
              "taken": {"from": "2018-01-13T10:11:12", "to": "2019-07-12T14:03:22"},
              "sections": [{"title": "a", "from": 0, "count": 8}, {"title": "b", "from": 8, "count": 4}]
            }
            """#,
            #"""
            {
              "id": "pictures~1c9d4f6a2b3e5d70", "title": "pictures", "itemCount": 3, "source": "folder",
              "revision": 1, "of": "pictures",
              "arrangement": {"sort": "taken", "order": "descending", "group": "month", "filter": {"text": "lake"}},
              "sections": [{"title": "July 2019", "from": 0, "count": 3}]
            }
            """#,
        ])

    static let galleryList = object(
        named: "GalleryList",
        fields: [
            .array("galleries", "In the order in which they were added.", of: .gallery)
        ],
        examples: [
            #"""
            {
              "galleries": [
                {
                  "id": "pictures", "title": "pictures", "itemCount": 12, "source": "folder", "revision": 1,
                  "sections": [{"title": "a", "from": 0, "count": 8}, {"title": "b", "from": 8, "count": 4}]
                }
              ]
            }
            """#
        ])

    static let newItem = object(
        named: "NewItem",
        fields: [
            .string("url", "http or https.", maxLength: 4096, format: "uri"),
            .string(
                "title?",
                "Title for people and screen readers; the default is the end of the URL's path. At most 1024 bytes.",
                maxLength: 1024),
            .integer(
                "width?", "Width of the picture in pixels, if known: layouts then know its shape before it is fetched.",
                in: 1...65_535),
            .integer("height?", "Height of the picture in pixels, if known.", in: 1...65_535),
            .string(
                "section?", "Title of its section; items of one section are grouped. At most 1024 bytes.",
                maxLength: 1024),
            .string(
                "color?", "The picture's main colour, if known; shown until the picture arrives.",
                pattern: #"^#[0-9a-fA-F]{6}$"#),
            .string("thumbHash?", "The picture's ThumbHash in base64: shown until the picture arrives.", maxLength: 40),
            .string(
                "blurHash?", "The picture's BlurHash, used if there is no ThumbHash.", minLength: 6, maxLength: 166),
        ],
        examples: [
            #"""
            {
              "url": "https://example.com/1.jpg", "title": "One", "width": 1200, "height": 800,
              "section": "First"
            }
            """#
        ])

    static let newGallery = object(
        named: "NewGallery",
        fields: [
            .string("title?", "At most 1024 bytes.", maxLength: 1024, default: "List"),
            .array(
                "items",
                "At most --max-items. An item may also be a string, its URL. The body may also be only this array.",
                of: .newItem),
        ], examples: [#"{"title":"Mine","items":[{"url":"https://example.com/1.jpg"}]}"#])

    static let sort = named(
        "Sort",
        .string(
            """
            taken: when the picture was taken, in local time. name: file name or title, in natural order. path: \
            the gallery's own order; for a list, the order of the addresses. size: bytes. added: when it was \
            added to the gallery. Pictures without the value come last in either order.
            """, values: Arrangement.Sort.names, default: "path"))

    static let order = named(
        "Order",
        .string(
            "The default is descending for taken, size and added, and ascending otherwise.",
            values: Arrangement.Order.names))

    static let group = named(
        "Group",
        .string(
            """
            How the items are divided into sections. Days, months and years are sorted newest first, unless the \
            sort is taken, ascending; pictures without a date come last.
            """, values: Arrangement.Group.names, default: "none"))

    static let itemFilter = object(
        named: "ItemFilter", "Shows the items that match all members.",
        fields: [
            .string(
                "text?",
                """
                Words, each of which matches the item's name, title or section title (anywhere), its camera or lens \
                (anywhere) or its date, ignoring case and accents. A date is a year, a month's English name, an ISO \
                date or the beginning of one, of at least two characters: `2021`, `jul`, `2021-07`, `2021-07-12`. A \
                number beside a month's name is its day: `12 july 2021`, `July 12, 2021`. Camera, lens and date \
                match only if they are known. At most 200 bytes.
                """, maxLength: 200),
            .object(
                "taken?", "First and last year, month, day or second in which it was taken, inclusive, in local time.",
                fields: [
                    .string("from?", "2019, 2019-07, 2019-07-12 or 2019-07-12T14:03:22.", maxLength: 19),
                    .string("to?", "The same.", maxLength: 19),
                ]),
            .string("folder?", "Title of a section: the path of a folder. Includes its subfolders.", maxLength: 4096),
            .string("camera?", "Part of make and model, ignoring case.", maxLength: 200),
            .string("lens?", "Part of the lens name, ignoring case.", maxLength: 200),
            .array(
                "kinds?", "By file extension.",
                of: .values(["jpeg", "png", "webp", "gif", "heic", "avif", "tiff", "bmp", "raw", "video", "jxl"]),
                max: 11),
            .boolean("fiveStars?", "Whether to show only items with five stars."),
        ], examples: [#"{"text":"lake","taken":{"from":"2019-07","to":"2019-08"},"kinds":["jpeg","raw"]}"#])

    static let arrangement = object(
        named: "Arrangement", "How an arrangement shows the items of its gallery.",
        fields: [
            .field("sort", .sort),
            .field("order", .order),
            .field("group", .group),
            .field("filter?", .itemFilter),
        ], examples: [#"{"sort":"taken","order":"descending","group":"month"}"#])

    static let newArrangement = object(
        named: "NewArrangement",
        fields: [
            .string(
                "of", "Id of a gallery that is not an arrangement and has at most 2,000,000 items.", maxLength: 200),
            .field("sort?", .sort),
            .field("order?", .order),
            .field("group?", .group),
            .field("filter?", .itemFilter),
        ], examples: [#"{"of":"pictures","sort":"taken","group":"month","filter":{"text":"lake"}}"#])

    static let archiveItems = items(named: "ArchiveItems", max: API.maxNamed)
    static let downloadItems = items(named: "DownloadItems", max: API.maxNamedLater)

    private static func items(named name: String, max: Int) -> Schema {
        object(
            named: name, "Either items or ranges: one item or more in total. One range may name a whole gallery.",
            fields: [
                .array("items?", "Indices in the gallery; repeated ones count once.", of: .integer(min: 0), max: max),
                .array(
                    "ids?", "Ids of the items, one for each: 412 names the first item that is another picture.",
                    of: .itemID, max: max),
                .integer(
                    "revision?", "Revision of the gallery that the request means: 412 if the gallery has another one.",
                    min: 0),
                .array("ranges?", "Half-open ranges of items.", of: .range, max: max),
            ], examples: [#"{"items":[3,5,8]}"#, #"{"ranges":[{"from":0,"to":12}]}"#])
    }

    static let download = object(
        named: "Download",
        fields: [
            .string("id", "Cannot be guessed."),
            .string("archive", "The one-time address of the archive.", format: "uri-reference"),
            .integer("itemCount", "Items that are named, each counted once.", min: 1),
            .integer("seconds", "Time for which the address is valid, in seconds.", min: 1),
        ],
        examples: [
            #"""
            {
              "id": "5f0c2d6b8e914a7730c1d2e3f4a5b6c7",
              "archive": "/api/v1/galleries/pictures/downloads/5f0c2d6b8e914a7730c1d2e3f4a5b6c7",
              "itemCount": 12, "seconds": 60
            }
            """#
        ])

    static let places = object(
        named: "Places",
        fields: [
            .integer("from", "The first item.", min: 0),
            .field(
                "places",
                .array(
                    "The index of each item in this gallery; null if this gallery does not have the item.",
                    of: .integer(min: 0).orNull)),
        ], examples: [#"{"from":0,"places":[7,null,5]}"#])

    static let suggestions = object(
        named: "Suggestions",
        fields: [
            .array(
                "suggestions", "The filters.",
                of: .object(fields: [
                    .string(
                        "kind", "The part of the filter: taken for a year or month.",
                        values: FilterSuggestion.Kind.names),
                    .string("value", "For a filter's taken, camera or lens: 2019, 2019-07, or a whole name."),
                    .integer("count", "Items that this filter shows.", min: 1),
                ]), max: 12)
        ], examples: [#"{"suggestions":[{"kind":"month","value":"2019-07","count":90}]}"#])

    static let timeline = object(
        named: "Timeline",
        fields: [
            .array(
                "months", "Months with items.",
                of: .object(fields: [
                    .string("month", "Year and month, such as 2019-07."),
                    .integer("from", "Its first item.", min: 0),
                    .integer("count", "Number of its items.", min: 1),
                ])),
            .object(
                "undated", "The items at the end without a date.",
                fields: [
                    .integer("from", "The first ones.", min: 0),
                    .integer("count", "Number of items.", min: 0),
                ]),
        ],
        examples: [
            #"""
            {
              "months": [{"month": "2019-08", "from": 0, "count": 212}, {"month": "2019-07", "from": 212, "count": 90}],
              "undated": {"from": 302, "count": 4}
            }
            """#
        ])
}
