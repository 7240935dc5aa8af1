import Catalog
import Gallery
import JSON
import MicroHTTP
import Replay
import Viewport

extension API {
    func getSession(_ request: Request) -> Reply {
        Self.respond { () throws(Problem) in Self.json(try session(request).document) }
    }

    func close(_ request: Request) -> Reply {
        Self.respond { () throws(Problem) in
            sessions.end(try session(request), reason: "the session was closed")
            return Response(status: 204)
        }
    }

    func trace(_ request: Request) -> Reply {
        // The handler encodes two minutes of samples.
        later { () throws(Problem) in
            let trace = try session(request).trace
            return Response(
                status: 200, headers: [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store")],
                body: trace.bytes)
        }
    }

    func record(_ request: Request) -> Reply {
        // The handler encodes up to 4,096 pictures.
        later { () throws(Problem) in Self.json(try session(request).record.bytes) }
    }

    static let simulatedLatency = NumberParameter("latency", in: Origin.latencyBounds, default: Origin().latency)
    static let simulatedBandwidth = NumberParameter(
        "bandwidth", in: Origin.bandwidthBounds, default: Origin().bandwidth)

    func simulate(_ request: Request) -> Reply {
        // A minute of scrolling takes a tenth of a second or more.
        later { () throws(Problem) in
            let name = request.query("policy") ?? PolicyName.standard.rawValue
            guard let player = Replay.Player(name) else {
                let names = Replay.Player.all.map(\.description).joined(separator: ", ")
                throw Problem(422, "The query's policy must be one of \(names).", field: "/policy")
            }
            let origin = Origin(
                latency: try Self.simulatedLatency.value(request),
                bandwidth: try Self.simulatedBandwidth.value(request),
                serving: Serving())
            guard let simulated = try session(request).record.simulated(player, origin) else {
                throw Problem(409, "The session has not scrolled yet.")
            }
            return Self.json(simulated.bytes)
        }
    }

    private struct Opening {
        var use: PictureGallery.Use
        var gallery: PictureGallery { use.gallery }
        var share: Double?
        /// Conditions of the demo's network for this session only.
        var network: FieldReader?
        var isCold: Bool
        var viewport: Size
        var pixelRatio: Double
        var options: LayoutOptions
        var policy: PolicyName
        var prefetching: Bool
        var start: ViewportStart
        var name: String
        var opener: Caller
    }

    private func opening(_ request: Request) throws(Problem) -> Opening {
        let reader = try Self.body(request)
        let id = try reader.required("gallery", try reader.string("gallery", maxLength: 200))
        guard let use = galleries.use(id) else {
            throw Problem(422, Problem.unknownGallery(id).detail, field: "/gallery")
        }
        let viewport = try reader.required("viewport", try reader.object("viewport"))
        let width = try viewport.required("width", try viewport.number("width", in: ViewportUpdate.viewportLengths))
        let height = try viewport.required(
            "height", try viewport.number("height", in: ViewportUpdate.viewportLengths))
        let size = Size(width: width, height: height)
        let options =
            try reader.object("layout").map { reader throws(Problem) in try LayoutOptions(reader) } ?? .standard
        try VisibleItemLimit.check(options, in: size, field: viewport.path("height"))
        return Opening(
            use: use, share: try reader.number("share", in: SessionLane.shares),
            network: try reader.object("network"),
            isCold: try reader.bool("cold") ?? false, viewport: size,
            pixelRatio: try viewport.number("pixelRatio", in: SizeChange.pixelRatios) ?? 1, options: options,
            policy: try reader.choice("policy", PolicyName.self) ?? .standard,
            prefetching: try reader.bool("prefetching") ?? true,
            start: try start(viewport, in: use.gallery),
            name: try reader.string("name", maxLength: Session.maxNameLength) ?? "",
            opener: gatekeeper.caller(of: request))
    }

    /// Opens a session: immediately if its layout is cached, otherwise once it is computed.
    func open(_ request: Request) -> Reply {
        let opening: Opening
        let lane: SessionLane?
        do throws(Problem) {
            opening = try self.opening(request)
            // Refuse the request before waiting for a layout.
            try sessions.requireRoom()
            lane = try self.lane(opening)
        } catch {
            return .now(Self.response(error))
        }
        let content = lane?.content ?? opening.gallery.content
        if let layout = content.readyLayout(opening.options, width: opening.viewport.width) {
            return .now(open(opening, lane, content, .success(layout)))
        }
        return .later {
            do throws(LayoutFailure) {
                let layout = try await content.layout(opening.options, width: opening.viewport.width)
                return open(opening, lane, content, .success(layout))
            } catch {
                return open(opening, lane, content, .failure(error))
            }
        }
    }

    private func open(
        _ opening: Opening, _ lane: SessionLane?, _ content: GalleryContent,
        _ layout: Result<any Layout, LayoutFailure>
    ) -> Response {
        do throws(Problem) {
            let laidOut: any Layout
            switch layout {
            case .success(let layout): laidOut = layout
            case .failure(let failure): throw Problem(failure)
            }
            let session = Session(
                gallery: opening.use, content: content, lane: lane, thumbnails: thumbnails, layout: laidOut,
                viewport: opening.viewport, pixelRatio: opening.pixelRatio, options: opening.options,
                policy: opening.policy, prefetching: opening.prefetching, start: opening.start, name: opening.name,
                maxUpdates: settings.maxUpdates, node: settings.node, opener: opening.opener)
            // The client has left, or the server is stopping.
            if Task.isCancelled { throw .stopping }
            try sessions.add(session)
            // The gallery may have been deleted during the wait, before this session was in the list.
            guard galleries.gallery(opening.gallery.id) === opening.gallery else {
                sessions.end(session, reason: "the gallery was deleted")
                return Self.response(.unknownGallery(opening.gallery.id))
            }
            firstScreens.opened(session)
            return Self.json(
                session.document, status: 201, headers: [("Location", "\(APIPath.sessions)/\(session.id)")])
        } catch {
            lane?.close(thumbnails)
            return Self.response(error)
        }
    }

    /// Changes a session: immediately if the layout is cached, otherwise once it is computed. Until then, responses to other requests use
    /// the old layout.
    func change(_ request: Request) -> Reply {
        do throws(Problem) {
            let session = try session(request)
            try session.admit()
            let body = try Self.body(request)
            let change = try SessionChange(body, itemCount: session.content.itemCount)
            if try body.bool("retry") == true { session.retry() }
            if let network = try body.object("network") { try session.change(network: network) }
            if let document = try session.change(change) { return .now(Self.json(document)) }
            return .later { await settled(session) { Self.json(session.document) } }
        } catch {
            return .now(Self.response(error))
        }
    }

    /// Returns the response once the pending layout of a session is in use.
    func settled(_ session: Session, _ respond: () -> Response) async -> Response {
        do throws(LayoutFailure) {
            try await session.settle()
            return respond()
        } catch {
            return Self.response(Problem(error))
        }
    }

    private func start(_ viewport: FieldReader, in gallery: PictureGallery) throws(Problem) -> ViewportStart {
        guard let anchor = try viewport.object("anchor") else {
            return .scrollTop(try viewport.number("scrollTop") ?? 0)
        }
        let items = 0...max(0, gallery.content.itemCount - 1)
        return .anchor(
            item: try anchor.required("item", try anchor.integer("item", in: items)),
            fraction: try anchor.number("fraction") ?? 0, at: try anchor.number("at") ?? 0)
    }

    private func lane(_ opening: Opening) throws(Problem) -> SessionLane? {
        let catalog = opening.gallery.content.catalog
        guard opening.share != nil || opening.network != nil else {
            return opening.isCold ? try SessionLane(coldOf: catalog, in: galleries, thumbnails) : nil
        }
        guard let lane = try origin?.openLane(to: catalog, share: opening.share ?? 1, network: opening.network) else {
            let field = opening.share == nil ? "network" : "share"
            throw Problem(422, "Only the demo's gallery has a \(field). Leave \(field) out.", field: "/\(field)")
        }
        return SessionLane(lane, in: galleries, thumbnails)
    }
}
