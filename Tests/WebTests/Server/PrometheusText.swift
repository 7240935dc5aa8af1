/// A strict reader of the Prometheus text format 0.0.4: what a lenient one would let pass is an error here.
struct PrometheusText {
    struct Problem: Error { let reason: String }

    struct Sample {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    struct Family {
        var type: String
        var samples: [Sample] = []
    }

    private(set) var families: [String: Family] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Problem(reason: "the last line has no end") }
        var current = ""
        var helped = ""
        var series: Set<String> = []
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# HELP ") {
                let parts = line.split(separator: " ", maxSplits: 3)
                guard parts.count == 4, families[String(parts[2])] == nil else { throw Problem(reason: "\(line)") }
                helped = String(parts[2])
            } else if line.hasPrefix("# TYPE ") {
                let parts = line.split(separator: " ")
                guard parts.count == 4, parts[2] == helped, Self.isName(parts[2], colons: true),
                    ["counter", "gauge", "histogram"].contains(parts[3]), families[helped] == nil
                else { throw Problem(reason: "\(line)") }
                current = helped
                families[current] = Family(type: String(parts[3]))
            } else {
                let sample = try Self.sample(line)
                guard let type = families[current]?.type else { throw Problem(reason: "no TYPE before \(line)") }
                let suffixes = type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                guard suffixes.contains(where: { current + $0 == sample.name }) else {
                    throw Problem(reason: "\(line) does not belong to \(current)")
                }
                let key =
                    sample.name + sample.labels.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "\0")
                guard series.insert(key).inserted else { throw Problem(reason: "twice: \(line)") }
                families[current]?.samples.append(sample)
            }
        }
        for (name, family) in families { try Self.check(name, family) }
    }

    /// The value of one series, or the sum of those that have these labels.
    func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
        let family = families.values.first { $0.samples.contains { $0.name == name } }
        return (family?.samples ?? []).filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }.reduce(0) { $0 + $1.value }
    }

    private static func check(_ name: String, _ family: Family) throws {
        guard !family.samples.isEmpty else { throw Problem(reason: "\(name) has no samples") }
        switch family.type {
        case "counter":
            guard name.hasSuffix("_total"), family.samples.allSatisfy({ $0.value >= 0 }) else {
                throw Problem(reason: "\(name) is no counter")
            }
        case "histogram":
            var groups: [[String: String]: [Sample]] = [:]
            for sample in family.samples {
                groups[sample.labels.filter { $0.key != "le" }, default: []].append(sample)
            }
            for group in groups.values { try checkHistogram(name, group) }
        default:
            guard !name.hasSuffix("_total") else { throw Problem(reason: "\(name) looks like a counter") }
        }
    }

    private static func checkHistogram(_ name: String, _ group: [Sample]) throws {
        let buckets = group.filter { $0.name == "\(name)_bucket" }
        let bounds = buckets.map { $0.labels["le"].flatMap(number) ?? .nan }
        let count = group.filter { $0.name == "\(name)_count" }.map(\.value)
        guard bounds == bounds.sorted(), bounds.last == .infinity, Set(bounds).count == bounds.count,
            buckets.map(\.value) == buckets.map(\.value).sorted(), count == [buckets.last?.value ?? .nan],
            group.count(where: { $0.name == "\(name)_sum" }) == 1
        else { throw Problem(reason: "\(name) is no histogram") }
    }

    private static func sample(_ line: Substring) throws -> Sample {
        let name = line.prefix { $0 != "{" && $0 != " " }
        guard isName(name, colons: true) else { throw Problem(reason: "\(line)") }
        var rest = line[name.endIndex...]
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let label = rest.prefix { $0 != "=" }
                guard isName(label, colons: false), labels[String(label)] == nil,
                    rest[label.endIndex...].hasPrefix("=\"")
                else { throw Problem(reason: "\(line)") }
                rest = rest[label.endIndex...].dropFirst(2)
                labels[String(label)] = try value(&rest, line)
                if rest.first == "," {
                    rest = rest.dropFirst()
                } else if rest.first != "}" {
                    throw Problem(reason: "\(line)")
                }
            }
            rest = rest.dropFirst()
        }
        guard rest.first == " ", let value = number(String(rest.dropFirst())) else { throw Problem(reason: "\(line)") }
        return Sample(name: String(name), labels: labels, value: value)
    }

    /// The text up to the next quote, which is passed over.
    private static func value(_ rest: inout Substring, _ line: Substring) throws -> String {
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                guard let escaped = rest.popFirst(), let meant = ["\\": "\\", "\"": "\"", "n": "\n"][escaped] else {
                    throw Problem(reason: "\(line)")
                }
                value += meant
            default: value.append(character)
            }
        }
        throw Problem(reason: "\(line)")
    }

    private static func number(_ text: String) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "NaN": .nan
        default: text.contains { $0.isWhitespace || $0 == "n" || $0 == "x" } ? nil : Double(text)
        }
    }

    private static func isName(_ text: Substring, colons: Bool) -> Bool {
        guard let first = text.first, !first.isNumber else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || colons && $0 == ":") }
    }
}
