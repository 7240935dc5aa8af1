import Gallery
import JSON
import MicroHTTP

// Event streams of one session, or of several sessions on the same page.
extension API {
    /// Maximum number of sessions on one stream.
    static let maxJoined = 32
    /// Maximum number of event streams of a session. The same limit applies to a session's followers and to the streams of all galleries.
    static let maxStreams = 64

    func events(_ request: Request) -> Reply {
        guard request.query("with") == nil else { return joinedEvents(request) }
        let session: Session
        let selection: EventSelection
        do throws(Problem) {
            session = try self.session(request)
            selection = try Self.selection(request)
            guard session.streamCount < Self.maxStreams else {
                throw .tooManyStreams("the session", Self.maxStreams)
            }
        } catch {
            return .now(Self.response(error))
        }
        // Ignore an id that is not a number, because this server does not send such ids.
        let lastEventID = (request.header("Last-Event-ID") ?? request.query("lastEventID")).flatMap { Int($0) } ?? 0
        return .stream(
            .events { stream in
                if !session.attach(stream, selection, lastEventID: lastEventID, limit: Self.maxStreams) {
                    stream.close(bye: SessionEvent.bye(reason: "too many streams, or the session has ended"))
                }
            })
    }

    /// Opens one stream for a session and for the sessions in `with`. The id of an event begins with the id of its session. For a session
    /// that does not exist, the stream only sends `bye`.
    private func joinedEvents(_ request: Request) -> Reply {
        let first = request.parameter("s") ?? ""
        var named: Set = [first]
        let others = (request.query("with") ?? "").split(separator: ",").map(String.init)
        let ids = [first] + others.filter { named.insert($0).inserted }
        guard ids.count <= Self.maxJoined else {
            return .now(Self.response(.outOfRange("/with", "at most \(Self.maxJoined - 1) sessions")))
        }
        guard !ids.contains(where: { $0.isEmpty || $0.contains(".") }) else {
            return .now(Self.response(.outOfRange("/with", "ids of sessions, separated by commas")))
        }
        let selection: EventSelection
        do throws(Problem) { selection = try Self.selection(request) } catch { return .now(Self.response(error)) }
        let found = ids.map { sessions.session($0) }
        guard found.contains(where: { $0 != nil }) else { return .now(Self.response(.unknown("session", first))) }
        let lastEventIDs = Self.lastEventIDs(request)
        return .stream(
            .events { stream in
                for ((id, session), lane) in zip(zip(ids, found), stream.lanes(ids)) {
                    let last = lastEventIDs[id] ?? 0
                    if session?.attach(lane, selection, lastEventID: last, limit: Self.maxStreams) != true {
                        lane.close(bye: SessionEvent.bye(reason: "too many streams, or the session has ended"))
                    }
                }
            })
    }

    private static func selection(_ request: Request) throws(Problem) -> EventSelection {
        let only = request.query("only").map { Set($0.split(separator: ",").map(String.init)) }
        guard let except = request.query("except") else { return EventSelection(only: only) }
        guard except == "plan" else { throw Problem(422, "The query's except must be plan.", field: "/except") }
        return EventSelection(only: only, leavesOutAnsweredPlans: true)
    }

    /// Returns the id of the last event received from each session. The query has the form `SESSION.41,OTHER.7`.
    private static func lastEventIDs(_ request: Request) -> [String: Int] {
        let given = request.query("lastEventID") ?? ""
        let pairs = given.split(separator: ",").compactMap { text -> (String, Int)? in
            let parts = text.split(separator: ".", maxSplits: 1)
            return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
        }
        return Dictionary(pairs, uniquingKeysWith: max)
    }
}

// Sessions that others follow: the document and the events.
extension API {
    func getFollowed(_ request: Request) -> Reply {
        Self.respond { () throws(Problem) in Self.json(try followed(request).followDocument) }
    }

    func follow(_ request: Request) -> Reply {
        let session: Session
        let (name, own) = (request.query("name") ?? "", request.query("session") ?? "")
        do throws(Problem) {
            session = try followed(request)
            for (field, text) in [("name", name), ("session", own)] where text.utf8.count > Session.maxNameLength {
                throw Problem(
                    422, "The query's \(field) must have at most \(Session.maxNameLength) bytes.", field: "/\(field)")
            }
            guard session.followers.count < Self.maxStreams else {
                throw .tooManyStreams("the session's followers", Self.maxStreams)
            }
        } catch {
            return .now(Self.response(error))
        }
        return .stream(
            .events { [sessions] stream in
                // Looked up here, so that the stream keeps no session alive that has ended.
                if !session.follow(stream, name: name, session: sessions.session(own), limit: Self.maxStreams) {
                    stream.close(bye: SessionEvent.bye(reason: "too many followers, or the session has ended"))
                }
            })
    }

    private func followed(_ request: Request) throws(Problem) -> Session {
        let id = request.parameter("f") ?? ""
        guard let session = sessions.followed(id) else { throw .unknown("session to follow", id) }
        return session
    }
}
