import JSON
import TestSupport
import Testing

extension DescribedAnswersTests {
    /// Galleries in other orders, their months and their originals.
    func arrange(_ description: APIDescription, _ port: UInt16) throws {
        let body =
            #"{"of":"pictures","sort":"taken","group":"month","filter":{"text":"1","taken":{"to":"2090"},"kinds":["jpeg"]}}"#
        let made = try description.call("POST", Self.galleries, port: port, body: body)
        #expect(try description.call("POST", Self.galleries, port: port, body: body).status == 200)
        let names = ["g": try #require(made.json["id"]?.string)]
        try description.call("GET", Self.gallery, names, port: port)
        try description.call("GET", "\(Self.gallery)/timeline", names, port: port)
        let suggestions = "\(Self.gallery)/suggestions"
        try description.call("GET", suggestions, names, query: "?text=20", port: port)
        #expect(try description.call("GET", suggestions, names, port: port).status == 422)
        try description.call("GET", "\(Self.gallery)/places", names, query: "?of=pictures&count=3", port: port)
        let all = try description.call("POST", Self.galleries, port: port, body: #"{"of":"pictures","sort":"name"}"#)
        let archive = "\(Self.gallery)/archive"
        try description.call("POST", archive, ["g": "pictures"], port: port, body: Self.bodies["POST \(archive)"])
        let downloads = "\(Self.gallery)/downloads"
        let offer = try description.call(
            "POST", downloads, ["g": "pictures"], port: port, body: Self.bodies["POST \(downloads)"])
        let download = ["g": "pictures", "d": offer.json["id"]?.string ?? ""]
        #expect(try description.call("GET", "\(downloads)/{d}", download, port: port).status == 200)
        try description.call("GET", "\(Self.gallery)/items", ["g": all.json["id"]?.string ?? ""], port: port)
    }

    /// A gallery in another order than that of its dates.
    func disarrange(_ description: APIDescription, _ port: UInt16) throws {
        let byName = try description.call("POST", Self.galleries, port: port, body: #"{"of":"demo","sort":"name"}"#)
        let names = ["g": byName.json["id"]?.string ?? ""]
        #expect(try description.call("GET", "\(Self.gallery)/timeline", names, port: port).status == 409)
    }
}
