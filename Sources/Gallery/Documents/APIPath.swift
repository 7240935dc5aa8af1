/// Where the parts of the API are.
package enum APIPath {
    package static let base = "/api/v1"
    package static let galleries = "/api/v1/galleries"
    package static let sessions = "/api/v1/sessions"
    package static let follow = "/api/v1/follow"
    package static let events = "/api/v1/events"
}
