import Gallery

extension Route {
    static let galleries: [Route] = [
        Route(
            .get, APIPath.galleries, .view, "listGalleries", .galleries, "List the galleries",
            successes: [.json("All galleries.", .galleryList)], handling: .whole { api, _ in api.listGalleries() }),
        Route(
            .post, APIPath.galleries, .byBody, "createGallery", .galleries,
            "Create a gallery from a list of URLs, or an arrangement of a gallery",
            details: """
                NDJSON is read as a stream: a million lines need little memory. Invalid lines are left out and reported \
                in the response; a JSON list with an invalid item is refused. A body with the field of creates an \
                arrangement: a gallery with the items of another gallery in another order, in other sections, or \
                filtered. Its items have new numbers. The same request returns the same gallery with the same id. An \
                arrangement follows changes of its gallery, and view tokens may create one. Unused arrangements expire: \
                their id gets 404, and the same request creates them again. If servers share (--redis), a list is saved \
                for all of them before the response, and the others show it moments later; 503 if Redis could delete it \
                (maxmemory-policy allkeys-...).
                """,
            parameters: [
                .query(
                    "title", "Title of a gallery sent as NDJSON, at most 1024 bytes.",
                    .string(maxLength: 1024, default: "List"), example: #""Mine""#)
            ],
            body: RequestBody(contents: [
                .json(
                    .anyOf([.newGallery, .newArrangement]),
                    example: #"{"title":"Mine","items":[{"url":"https://example.com/1.jpg"}]}"#),
                Content(
                    type: "application/x-ndjson",
                    schema: .string("One NewItem per line. Optional fields that are invalid are ignored."),
                    example: #"""
                        "{\"url\":\"https://example.com/1.jpg\"}\n{\"url\":\"https://example.com/2.jpg\"}\n"
                        """#),
            ]),
            successes: [
                .located("The arrangement already existed.", .gallery, at: "The gallery.", status: 200),
                .located("Created.", .gallery, at: "The gallery."),
            ], handling: .upload(limit: \.settings.maxUpload) { $0.receiveGallery($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}", .view, "getGallery", .galleries, "Get a gallery",
            successes: [.json("The gallery.", .gallery)], handling: .whole { $0.getGallery($1) }),
        Route(
            .delete, "\(APIPath.galleries)/{g}", .full, "deleteGallery", .galleries, "Delete a gallery",
            successes: [.noContent("Deleted; its sessions have ended.")], handling: .whole { $0.deleteGallery($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/timeline", .view, "getTimeline", .galleries,
            "List the months of a gallery sorted by date",
            successes: [.json("The months with items, in the order of the items.", .timeline)],
            failures: [.noTimeline], handling: .whole { $0.timeline($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/suggestions", .view, "getSuggestions", .galleries,
            "Suggest filters for a typed text",
            details: """
                Finds the years, months, cameras and lenses that a text may mean, at most three of each. Dates come \
                first, the latest first, then names, the most frequent first. The items are those of the gallery without \
                any filter. Galleries of more than 2,000,000 items are not searched: 409.
                """,
            parameters: [
                Parameter(
                    name: "text", place: .query,
                    description: """
                        Words that all occur in the name of a camera or lens, or all match a year or a month as they do \
                        in a filter's text. 1 to 200 bytes.
                        """, schema: .string(maxLength: 200), example: #""july""#, isRequired: true)
            ], successes: [.json("The suggestions.", .suggestions)], handling: .whole { $0.suggestions($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/places", .view, "getPlaces", .galleries,
            "Find items of another gallery, or of an earlier revision, in this gallery",
            details: """
                Keeps the scroll position when a gallery changes or is arranged differently. An earlier revision is \
                available as long as a session shows it.
                """,
            parameters: [
                .query(
                    "of", "The gallery of the given items; the default is this gallery.", .string(),
                    example: #""pictures""#),
                IntegerParameter.revision.parameter, IntegerParameter.from.parameter,
                IntegerParameter.itemCount.parameter,
            ], successes: [.json("The items in this gallery.", .places)], handling: .whole { $0.places($1) }),
        Route(
            .post, "\(APIPath.galleries)/{g}/archive", .view, "downloadArchive", .galleries,
            "Download the originals of some items as a ZIP archive",
            details: """
                Files are stored uncompressed and sent as they are read, in the order of the gallery, each with the \
                files named by pairedWith. Files of different folders, or of different sections of a list, keep their \
                folders, without the outer ones that all share; a second file of the same path gets a number. Items \
                without an original, or whose original is not a picture, are left out and listed in the last file of the \
                archive, not included.txt (the first 10,000 of them). More than 65,534 files, and files or archives of \
                4 GiB and more, are written as ZIP64. If a file fails during the transfer, or the client reads less than \
                64 kB/s for a minute, the connection closes before the archive is complete.
                """, body: .json(.archiveItems), successes: [.archive], failures: [.moved],
            handling: .whole(bodyLimit: { $0.archiveBodyLimit }) { $0.sendArchive($1) }),
        Route(
            .post, "\(APIPath.galleries)/{g}/downloads", .view, "createDownload", .galleries,
            "Create a one-time address for downloading the originals of some items",
            details: """
                A page opens the address, and the browser saves the archive to the disk while it arrives. The address \
                works once, within a minute. Until then it counts towards the limit of simultaneous archives.
                """, body: .json(.downloadItems),
            successes: [.located("Created.", .download, at: "The archive.")], failures: [.moved],
            handling: .whole(bodyLimit: { $0.downloadBodyLimit }) { $0.createDownload($1) }),
        Route(
            .get, "\(APIPath.galleries)/{g}/downloads/{d}", .view, "getDownload", .galleries,
            "Download the archive of a one-time address",
            details: """
                Sends the same archive as POST .../archive. HEAD does not use up the address. 404 if the address was \
                used, is older than a minute, or belongs to another gallery.
                """, successes: [.archive], handling: .whole { $0.sendDownload($1) }),
        Route(
            .get, APIPath.events, .view, "listenToGalleries", .galleries, "Open the event stream of all galleries",
            details: """
                Includes the progress of uploaded lists. Closing the connection of an upload cancels it, and no gallery \
                is created.
                """, successes: [.stream],
            events: [
                StreamEvent("hello", .galleryList, "The stream is open; lists the galleries."),
                StreamEvent(
                    "upload", .uploadEvent,
                    "Progress of an uploaded list, at most four times a second, and its result."),
                StreamEvent("gallery", .gallery, "A gallery was created, or its items have changed."),
                StreamEvent("removed", .removedEvent, "A gallery was deleted."),
                StreamEvent("bye", .byeEvent, "The server closes the stream."),
            ], handling: .whole { api, _ in api.listen() }),
    ]
}

extension Success {
    fileprivate static let archive = Success(
        status: 200,
        description: "The archive, chunked; an HTTP/1.0 client gets it until the connection closes.",
        contents: Content.bytes("application/zip"),
        headers: [Header("Content-Disposition", .string(pattern: "^attachment; "))])
}

extension IntegerParameter {
    static let from = IntegerParameter(
        name: "from", description: "The first item.", range: 0...Settings.maximumItems, defaultValue: 0, example: 0)
    static let itemCount = IntegerParameter(
        name: "count", description: "Number of items.", range: 0...1000, defaultValue: 100, example: 100)
    static let revision = IntegerParameter(
        name: "revision", description: "The revision of that gallery; the default is the current one.",
        range: 0...Int(Int32.max), example: 1)
}
