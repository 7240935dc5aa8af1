// Scrolls a gallery and saves the pictures that the server pushes: ClientExample SERVER GALLERY FOLDER COUNT
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

guard CommandLine.arguments.count == 5 else {
    FileHandle.standardError.write(Data("usage: ClientExample SERVER GALLERY FOLDER COUNT\n".utf8))
    exit(1)
}

struct Session: Decodable { var id: String, seq: Int }
struct Picture: Decodable { var item: Int, tier: String, mediaType: String, data: Data }

func request(_ method: String, _ path: String, _ body: String? = nil) -> URLRequest {
    var request = URLRequest(url: URL(string: "\(CommandLine.arguments[1])/api/v1/\(path)")!)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = body.map { Data($0.utf8) }
    return request
}

/// Reads an event stream. Unchecked: a session calls its delegate on one queue, and nothing else touches what is here.
final class Reader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    let (pictures, continuation) = AsyncStream.makeStream(of: Picture.self)
    var unread = Data()

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        var lines = (unread + data).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        unread = Data(lines.removeLast())
        for line in lines where line.starts(with: "data: {\"item\"".utf8) {
            if let picture = try? JSONDecoder().decode(Picture.self, from: line.dropFirst(6)) {
                continuation.yield(picture)
            }
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish()
    }
}

let (gallery, folder) = (CommandLine.arguments[2], URL(fileURLWithPath: CommandLine.arguments[3]))
let opening = request("POST", "sessions", #"{"gallery":"\#(gallery)","viewport":{"width":800,"height":600}}"#)
let session = try JSONDecoder().decode(Session.self, from: try await URLSession.shared.data(for: opening).0)
let reader = Reader()
let configuration = URLSessionConfiguration.default
configuration.timeoutIntervalForResource = 60  // seconds until the stream is given up
let stream = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
stream.dataTask(with: request("GET", "sessions/\(session.id)/events?only=thumbnail")).resume()
for step in 1...3 {
    let update = #"{"seq":\#(session.seq + step),"time":\#(step * 100),"scrollTop":\#(step * 600)}"#
    _ = try await URLSession.shared.data(for: request("POST", "sessions/\(session.id)/viewport", update))
}
var saved: Set<Int> = []
for await picture in reader.pictures where picture.tier == "full" {
    try picture.data.write(to: folder.appendingPathComponent("\(picture.item).\(picture.mediaType.dropFirst(6))"))
    saved.insert(picture.item)
    if saved.count == Int(CommandLine.arguments[4]) { break }
}
_ = try await URLSession.shared.data(for: request("DELETE", "sessions/\(session.id)"))
print("\(saved.count) pictures saved")
exit(saved.count == Int(CommandLine.arguments[4]) ? 0 : 1)
