/// The calls that provoke the documented answers.
extension DescribedAnswersTests {
    static let galleries = "/api/v1/galleries"
    static let gallery = "/api/v1/galleries/{g}"
    static let item = "/api/v1/galleries/{g}/items/{i}"
    static let sessions = "/api/v1/sessions"
    static let session = "/api/v1/sessions/{s}"
    static let news = "/api/v1/events"
    static let origin = "/api/v1/demo/origin"
    static let follow = "/api/v1/follow/{f}"

    /// Where a path's names lead to nothing.
    static let nothing = ["g": "none", "s": "none", "i": "0", "f": "none", "file": "none", "d": "none"]

    static let bodies = [
        "POST \(galleries)": #"{"title":"Mine","items":[{"url":"http://example.com/a.jpg","width":3,"height":2}]}"#,
        "POST \(gallery)/archive": #"{"ranges":[{"from":0,"to":2}]}"#,
        "POST \(gallery)/downloads": #"{"ranges":[{"from":0,"to":2}]}"#,
        "POST \(sessions)":
            #"{"gallery":"pictures","viewport":{"width":600,"height":360},"layout":{"kind":"grid","itemWidth":200,"itemHeight":180}}"#,
        "PATCH \(session)": #"{"policy":"scroll-end","prefetching":false,"viewport":{"height":300}}"#,
        "POST \(session)/viewport": #"{"seq":1,"time":0,"scrollTop":180,"phase":"wheel"}"#,
        "POST \(session)/scroll": #"{"item":3}"#,
        "PATCH \(origin)": #"{"latency":10}"#,
    ]

    /// The id of no picture.
    static let otherID = "AAAAAAAAAAA"

    /// Bodies that name another picture than the item's.
    static let moved = [
        "POST \(gallery)/archive": #"{"items":[0],"ids":["\#(otherID)"]}"#,
        "POST \(gallery)/downloads": #"{"ranges":[{"from":0,"to":2}],"revision":123456}"#,
        "POST \(session)/scroll": #"{"item":3,"id":"\#(otherID)"}"#,
    ]

    /// Bodies that are JSON and out of bounds.
    static let wrong = [
        "POST \(galleries)": #"{"items":[{"url":"ftp://example.com/a.jpg"}]}"#, "POST \(sessions)": "{}",
        "POST \(gallery)/archive": #"{"items":[]}"#, "POST \(gallery)/downloads": #"{"items":[]}"#,
        "PATCH \(session)": #"{"policy":"none"}"#,
        "POST \(session)/viewport": "{}", "POST \(session)/scroll": "{}",
        "PATCH \(origin)": #"{"latency":-1}"#,
    ]
}
