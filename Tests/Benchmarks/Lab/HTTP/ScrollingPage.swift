import Glibc

/// A page that scrolls as told and posts where it is, one update under way at a time.
final class ScrollingPage {
    private let client: LoadClient
    private let path: String
    private var seq = 0
    private var time = 0.0
    private var top: Double
    private var step: Double

    var isIdle: Bool { client.isIdle }

    init(_ client: LoadClient, session: String, top: Double) {
        self.client = client
        self.top = top
        path = "/api/v1/sessions/\(session)/viewport"
        step = 50
    }

    /// Scrolls a frame of 60 Hz on, at 3,000 px/s, turning each four seconds, and posts it.
    func update(_ onAnswer: @escaping (LoadClient.Answer?) -> Void) {
        seq += 1
        time += 16.5
        if seq % 240 == 0 { step = -step }
        top = max(0, top + step)
        client.ask(
            "POST", path, "{\"seq\":\(seq),\"time\":\(time),\"scrollTop\":\(top),\"phase\":\"wheel\"}", onAnswer)
    }
}
