import Gallery

extension Route {
    static let items: [Route] = [
        Route(
            .get, "\(APIPath.galleries)/{g}/items", .view, "listItems", .galleries, "List items of a gallery",
            parameters: [
                IntegerParameter.from.parameter, IntegerParameter.itemCount.parameter,
                .query(
                    "id",
                    """
                    Id of a picture: the page begins at this picture, whatever its index is now. The search for the \
                    picture begins at from. 404 if the gallery has no such picture.
                    """, .itemID),
            ], successes: [.json("The items.", .itemPage)], handling: .whole { $0.items($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/placeholders", .view, "listPlaceholders", .galleries,
            "Get the ThumbHashes of a range of items",
            details: """
                Placeholders that a page shows until the pictures arrive. If the gallery is a folder, missing ones are \
                created next.
                """, parameters: [IntegerParameter.from.parameter, IntegerParameter.placeholderCount.parameter],
            successes: [
                Success(
                    status: 200,
                    description: """
                        25 bytes for each item: a ThumbHash, filled up with zeros; 25 zeros if none is known.
                        """, contents: Content.bytes("application/octet-stream"))
            ], handling: .whole { $0.placeholders($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/items/{i}", .view, "getItem", .galleries, "Get the metadata of an item",
            details: "From the picture's file, the files beside it and its name. Unknown members are missing.",
            parameters: [.itemID], successes: [.json("The metadata.", .facts)], handling: .whole { $0.facts($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/items/{i}/thumbnail", .view, "getThumbnail", .galleries,
            "Get an item's thumbnail",
            details: """
                Has the same priority as a visible cell and is shared with sessions that want it. A browser may cache \
                the response forever if id and v are given and v is the current version. Otherwise it must revalidate \
                with If-None-Match.
                """,
            parameters: [.itemID, .version, IntegerParameter.thumbnailWidth.parameter, .ifNoneMatch],
            successes: [.picture("The thumbnail."), .notModified], failures: Failure.fetching,
            handling: .whole { $0.picture($1, .thumbnailWidth, isNamed: false) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/items/{i}/image", .view, "getImage", .galleries,
            "Get an item's picture for a viewer",
            parameters: [.itemID, .version, IntegerParameter.imageWidth.parameter, .ifNoneMatch],
            successes: [
                .picture(
                    "The picture, never larger than the original.",
                    Header("Content-Disposition", .string(pattern: "^inline; "))),
                .notModified,
            ], failures: Failure.fetching, handling: .whole { $0.picture($1, .imageWidth, isNamed: true) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/items/{i}/original", .view, "getOriginal", .galleries,
            "Download an item's original file",
            details: """
                The unchanged file, as an attachment: at most --max-bytes, or --max-raw-bytes for RAW and TIFF files and \
                videos of a folder. Refused if the content is not a picture that Lookahead shows, or if a link leads out \
                of the folder, unless --follow-links allows it. A file of a folder is sent as it is read: if it becomes \
                shorter during the transfer, or the client reads less than 64 kB/s for a minute, the connection closes \
                before its end.
                """, parameters: [.itemID, .range],
            successes: [
                .file(
                    "The file.",
                    Content.bytes(
                        "image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/avif", "image/jxl",
                        "image/tiff", "image/bmp", "image/x-dcraw", "video/mp4")),
                .part(Content.bytes("*/*")),
            ], failures: [.unsatisfiable] + Failure.fetching, handling: .whole { $0.original($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/items/{i}/video", .view, "getVideo", .galleries, "Play an item's video",
            details: """
                For a video, its file. For a Live Photo, the video file beside it. For a motion photo, the video after \
                the picture in its file. The limits and refusals are those of the original.
                """, parameters: [.itemID, .range],
            successes: [
                .file("The video.", Content.bytes("video/mp4", "video/quicktime")),
                .part(Content.bytes("video/mp4", "video/quicktime")),
            ], failures: [.unsatisfiable] + Failure.fetching, handling: .whole { $0.video($1) }),
    ]
}

extension Success {
    fileprivate static func picture(_ description: String, _ headers: Header...) -> Success {
        Success(
            status: 200, description: description, contents: Content.bytes("image/jpeg", "image/png", "image/webp"),
            headers: headers + [
                Header("ETag", .string()),
                Header("Cache-Control", .values(["private, max-age=31536000, immutable", "private, no-cache"])),
            ])
    }

    fileprivate static func file(_ description: String, _ contents: [Content]) -> Success {
        Success(
            status: 200, description: description, contents: contents,
            headers: [
                Header("Content-Disposition", .string(pattern: "^attachment; ")),
                Header("Accept-Ranges", .constant("bytes")),
            ])
    }

    fileprivate static func part(_ contents: [Content]) -> Success {
        Success(
            status: 206, description: "The part of the file that Range names.", contents: contents,
            headers: [Header("Content-Range", .string(pattern: "^bytes [0-9]+-[0-9]+/[0-9]+$"))])
    }
}

extension IntegerParameter {
    static let placeholderCount = IntegerParameter(
        name: "count", description: "Number of items.", range: 1...1024, defaultValue: 256, example: 64)
    static let thumbnailWidth = width(256)
    static let imageWidth = width(1600)

    private static func width(_ defaultValue: Int) -> IntegerParameter {
        IntegerParameter(
            name: "width", description: "Width in pixels; the picture is never enlarged.", range: 16...4096,
            defaultValue: defaultValue, example: defaultValue)
    }
}
