import JSON
import MicroHTTP
import Synchronization
import TaskPool

/// Counts of the whole server since it began, as Prometheus text and as JSON.
final class ServerStatistics: Sendable {
    /// One number that is reported, with its Prometheus type.
    struct Sample: Sendable {
        enum Kind: String, Sendable { case counter, gauge }
        var name: String
        var kind: Kind
        var help: String
        var labels: [(name: String, value: String)] = []
        var value: Double
    }

    private struct RouteKey: Hashable {
        var method: String
        var route: String
        var status: Int
    }

    private struct Requests {
        var count = 0
        var seconds = 0.0
    }

    private let requests = Mutex<[RouteKey: Requests]>([:])

    /// Counts a request that ended. Routes are patterns, so there are few.
    func record(_ record: RequestRecord) {
        let key = RouteKey(
            method: record.method?.rawValue ?? "", route: record.route.isEmpty ? "other" : record.route,
            status: record.status)
        let seconds = record.duration / .seconds(1)
        requests.withLock { requests in
            requests[key, default: Requests()].count += 1
            requests[key, default: Requests()].seconds += seconds
        }
    }

    func samples(sessions: SessionList, thumbnails: ThumbnailService) -> [Sample] {
        let pool = thumbnails.pool.counts
        let transfers = thumbnails.transfers.totals
        var samples: [Sample] = []
        func add(_ name: String, _ kind: Sample.Kind, _ help: String, _ value: Int, _ labels: [(String, String)] = []) {
            samples.append(
                Sample(
                    name: "lookahead_\(name)", kind: kind, help: help,
                    labels: labels.map { (name: $0.0, value: $0.1) }, value: Double(value)))
        }
        for stage in Stage.allCases {
            add("tasks_queued", .gauge, "Tasks waiting, by stage.", pool.queued[stage], [("stage", "\(stage)")])
        }
        for stage in Stage.allCases {
            add("tasks_running", .gauge, "Tasks under way, by stage.", pool.running[stage], [("stage", "\(stage)")])
        }
        for (result, count) in [("ready", pool.ready), ("failed", pool.failed), ("cancelled", pool.cancelled)] {
            add("tasks_total", .counter, "Tasks ended, by result.", count, [("result", result)])
        }
        add("downloads_total", .counter, "Pictures fetched to the end.", transfers.completed, [("result", "completed")])
        add("downloads_total", .counter, "Pictures fetched to the end.", transfers.abandoned, [("result", "abandoned")])
        add("download_bytes_total", .counter, "Bytes of pictures fetched.", transfers.bytes)
        add(
            "wasted_bytes_total", .counter, "Bytes of transfers that were cancelled or broke.", transfers.abandonedBytes
        )
        add("sessions", .gauge, "Sessions open.", sessions.count)
        add("streams", .gauge, "Event streams open.", sessions.all.reduce(0) { $0 + $1.streamCount })
        let requests = requests.withLock { $0 }.sorted {
            ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
        }
        func labels(_ key: RouteKey) -> [(String, String)] {
            [("method", key.method), ("route", key.route), ("status", String(key.status))]
        }
        for (key, value) in requests {
            add("requests_total", .counter, "Requests answered.", value.count, labels(key))
        }
        for (key, value) in requests {
            samples.append(
                Sample(
                    name: "lookahead_request_seconds_total", kind: .counter, help: "Time spent answering requests.",
                    labels: labels(key).map { (name: $0.0, value: $0.1) }, value: value.seconds))
        }
        return samples
    }
}

extension [ServerStatistics.Sample] {
    /// Prometheus text exposition format 0.0.4. Samples of one name must follow each other.
    var prometheusText: [UInt8] {
        var text = ""
        var last = ""
        for sample in self {
            if sample.name != last {
                text += "# HELP \(sample.name) \(sample.help)\n# TYPE \(sample.name) \(sample.kind.rawValue)\n"
                last = sample.name
            }
            text += sample.name
            if !sample.labels.isEmpty {
                let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
                text += "{\(labels.joined(separator: ","))}"
            }
            text += " \(sample.value)\n"
        }
        return [UInt8](text.utf8)
    }

    /// `{"lookahead_sessions":[{"labels":{…},"value":n}],…}`
    var document: [UInt8] {
        var object = JSONObject()
        for sample in self {
            var entry = JSONObject()
            var labels = JSONObject()
            for label in sample.labels { labels[label.name] = .string(label.value) }
            entry["labels"] = .object(labels)
            entry["value"] = .number(sample.value)
            let name = String(sample.name.dropFirst("lookahead_".count))
            object[name] = .array((object[name]?.array ?? []) + [.object(entry)])
        }
        return JSON.object(object).bytes
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value {
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
        return text
    }
}
