import Catalog
import Gallery
import JSON
import MicroHTTP
import Viewport

extension API {
    static let maxFrames = 5000

    /// Handles a reported viewport. If the viewport needs a layout that is not cached, the response waits for that layout. Other requests
    /// continue.
    func viewport(_ request: Request) -> Reply {
        do throws(Problem) {
            let session = try session(request)
            try session.admit()
            let posted = try PostedViewport(try Self.body(request), itemCount: session.content.itemCount)
            switch try session.post(posted) {
            case .plan(let plan): return .now(Self.json(plan))
            case .waits(let update):
                return .later { await settled(session) { Self.json(session.plan(after: update)) } }
            }
        } catch {
            return .now(Self.response(error))
        }
    }

    func scroll(_ request: Request) -> Reply {
        Self.respond { () throws(Problem) in
            let session = try session(request)
            try session.admit()
            let reader = try Self.body(request)
            let wish = try ScrollRequest(reader, itemCount: session.content.itemCount)
            if let id = try reader.name("id", ItemID.self), case .item(let item) = wish.target,
                session.content.catalog.id(item) != id
            {
                throw .moved(item, id, field: reader.path("id"))
            }
            return Self.json(session.scroll(wish), status: 202)
        }
    }

    func layoutIndex(_ request: Request) -> Reply {
        later { () throws(Problem) in
            let layout = try session(request).layout
            return Response(
                status: 200, headers: [("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store")],
                body: LayoutChunk.index(of: layout))
        }
    }

    func layout(_ request: Request) -> Reply {
        // Computing and encoding thousands of frames or rows takes time.
        later { () throws(Problem) in try frames(request) }
    }

    private func frames(_ request: Request) throws(Problem) -> Response {
        let session = try session(request)
        let layout = session.layout
        let from = try IntegerParameter.firstFrame(in: 0...max(0, layout.itemCount)).value(request)
        let to = try IntegerParameter.endOfFrames(in: from...Int.max).given(request) ?? from + 1000
        guard to - from <= Self.maxFrames else {
            throw Problem(422, "from and to may be at most \(Self.maxFrames) apart.", field: "/to")
        }
        let range = from..<min(to, layout.itemCount)
        let tag = EntityTag.of(Array("\(layout.contentHeight) \(layout.width) \(range)".utf8))
        if let accepted = request.header("Accept"), accepted.contains("application/octet-stream") {
            guard let rows = LayoutChunk.rows(range, of: layout) else {
                throw Problem(406, "This layout cannot be described by rows. Request application/json.")
            }
            let headers = [(name: "Vary", value: "Accept"), ("Cache-Control", "private, max-age=3600")]
            return ConditionalDocument.response(to: request, tag: tag, headers: headers) {
                Response(headers: $0 + [("Content-Type", "application/octet-stream")], body: rows)
            }
        }
        var writer = JSONWriter(capacity: 24 * range.count)
        writer.object {
            $0.member("from", range.lowerBound)
            $0.member("to", range.upperBound)
            if let rows = layout.unwrapped as? JustifiedLayout, !range.isEmpty {
                $0.member("row", rows.row(of: range.lowerBound))
                $0.member("rowCount", rows.rowCount)
            }
            $0.member("frames") {
                $0.array {
                    for frame in layout.frames(of: range) {
                        for length in [frame.x, frame.y, frame.width, frame.height] {
                            $0.value((length * 100).rounded() / 100)
                        }
                    }
                }
            }
        }
        return Self.json(writer.bytes)
    }
}
