import Gallery
import JSON
import MicroHTTP

extension API {
    func addFollowRoutes(to router: inout Router) {
        router.on(.get, "\(APIPath.follow)/{f}") { request in
            Self.answer { () throws(Problem) in
                Self.json(try followed(request).followDocument)
            }
        }
        router.on(.get, "\(APIPath.follow)/{f}/events") { request in
            let session: Session
            let name = request.query("name") ?? ""
            do throws(Problem) {
                session = try followed(request)
                guard name.utf8.count <= Session.maxNameLength else {
                    throw Problem(
                        422, "The query's name must have at most \(Session.maxNameLength) bytes.", field: "/name")
                }
                guard session.followers.count < Self.maxStreams else {
                    throw .tooManyStreams("the session's followers", Self.maxStreams)
                }
            } catch {
                return .now(Self.response(error))
            }
            return .stream(
                .events { stream in
                    if !session.follow(stream, name: name, limit: Self.maxStreams) {
                        stream.close(bye: SessionEvent.bye(reason: "too many followers, or the session has ended"))
                    }
                })
        }
    }

    private func followed(_ request: Request) throws(Problem) -> Session {
        let id = request.parameter("f") ?? ""
        guard let session = sessions.followed(id) else { throw .unknown("session to follow", id) }
        return session
    }
}
