import Catalog
import JSON
import Media

/// The JSON of an arrangement: `{"sort","order","group","filter"?:{"text"?,"taken"?:{"from"?,"to"?},"folder"?,"camera"?,"lens"?,"kinds"?,"fiveStars"?}}`.
extension Arrangement {
    package init(_ reader: FieldReader) throws(Problem) {
        let filter =
            try reader.object("filter").map { reader throws(Problem) in try ItemFilter(reader) } ?? ItemFilter()
        self.init(
            sort: try reader.choice("sort", Sort.self) ?? .path, order: try reader.choice("order", Order.self),
            group: try reader.choice("group", Group.self) ?? .none, filter: filter)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("sort", sort.rawValue)
            $0.member("order", order.rawValue)
            $0.member("group", group.rawValue)
            if !filter.isEmpty { $0.member("filter") { filter.write(to: &$0) } }
        }
    }
}

extension ItemFilter {
    /// Maximum length of a text, a camera name or a lens name, in bytes.
    private static let maxText = 200
    /// Maximum length of a folder path, in bytes.
    private static let maxFolder = 4096

    package init(_ reader: FieldReader) throws(Problem) {
        self.init()
        func part(_ name: String, maxLength: Int) throws(Problem) -> String? {
            try reader.string(name, maxLength: maxLength).flatMap { $0.contains { $0 != " " } ? $0 : nil }
        }
        text = try part("text", maxLength: Self.maxText)
        folder = try part("folder", maxLength: Self.maxFolder)
        camera = try part("camera", maxLength: Self.maxText)
        lens = try part("lens", maxLength: Self.maxText)
        if let taken = try reader.object("taken") {
            takenFrom = try Self.period("from", of: taken)
            takenTo = try Self.period("to", of: taken)
            if let from = takenFrom, let to = takenTo, from.seconds.lowerBound > to.seconds.upperBound {
                throw .outOfRange(taken.path("to"), "no earlier than from")
            }
        }
        hasFiveStars = try reader.bool("fiveStars") ?? false
        for (index, name) in (try reader.strings("kinds", maxCount: PictureKind.allCases.count) ?? []).enumerated() {
            guard let kind = PictureKind.allCases.first(where: { $0.apiName == name }) else {
                let names = PictureKind.allCases.map(\.apiName).joined(separator: ", ")
                throw .outOfRange("\(reader.path("kinds"))/\(index)", "one of \(names)")
            }
            kinds.insert(kind)
        }
    }

    private static func period(_ name: String, of reader: FieldReader) throws(Problem) -> WallPeriod? {
        guard let text = try reader.string(name, maxLength: 19) else { return nil }
        guard let period = WallPeriod(text) else {
            throw .outOfRange(reader.path(name), "a date as 2019, 2019-07, 2019-07-12 or 2019-07-12T14:03:22")
        }
        return period
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            if let text { $0.member("text", text) }
            if takenFrom != nil || takenTo != nil {
                $0.member("taken") {
                    $0.object {
                        if let takenFrom { $0.member("from", takenFrom.text) }
                        if let takenTo { $0.member("to", takenTo.text) }
                    }
                }
            }
            if let folder { $0.member("folder", folder) }
            if let camera { $0.member("camera", camera) }
            if let lens { $0.member("lens", lens) }
            if hasFiveStars { $0.member("fiveStars", true) }
            if !kinds.isEmpty {
                let names = kinds.map(\.apiName).sorted()
                $0.member("kinds") { $0.array { for name in names { $0.value(name) } } }
            }
        }
    }
}

extension PictureKind {
    /// Name of the kind in the API: `jpeg`, `heic`, `raw`, …
    var apiName: String { rawValue.lowercased() }
}

extension Arrangement {
    /// Hash of the arrangement: FNV-1a (64 bits) of its JSON in the API, as 16 hexadecimal digits.
    ///
    /// Equal arrangements have the same fingerprint on every server.
    package var fingerprint: String {
        var writer = JSONWriter()
        write(to: &writer)
        var hash = StableHash()
        hash.combine(writer.bytes)
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
