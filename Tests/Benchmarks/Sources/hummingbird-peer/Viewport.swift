import Hummingbird

/// The body a page posts when it scrolls.
struct ViewportUpdate: Decodable, Sendable {
    var seq: Int
    var time: Double
    var scrollTop: Double
    var width: Double?
    var height: Double?
    var phase: String?
    var missing: [Int]?
}

/// The answer to it.
struct Plan: Codable, ResponseEncodable, Sendable {
    struct Visible: Codable, Sendable { var from: Int, to: Int }
    struct Landing: Codable, Sendable { var scrollTop: Double, confidence: Double }

    var seq: Int
    var scrollTop: Double
    var visible: Visible
    var prefetch: [Int]
    var cancel: [Int]
    var ready: Int
    var velocity: Double
    var landing: Landing
    var contentHeight: Double
}
