import Demo
import TestSupport
import Testing

@Suite("Demo origin lanes", .timeLimit(.minutes(2))) struct OriginLaneTests {
    @Test("a lane serves the catalogue's pictures at its own addresses until it is closed")
    func pictures() async throws {
        try await withOrigin(.ideal) { origin, port in
            let url = try #require(origin.url)
            let catalog = DemoCatalog(itemCount: 100, origin: url)
            let lanes = [origin.openLane(share: 0.5), origin.openLane(share: 0.5)]
            let addresses = try lanes.map { lane in
                guard case .url(let address)? = catalog.through(lane).item(41)?.locator else {
                    throw CancellationError()
                }
                return String(address.dropFirst(url.count))
            }
            #expect(addresses[0] != addresses[1])
            let client = try OriginClient(port: port)
            for address in addresses {
                let reply = try await client.get(address)
                #expect(FilmEdge.number(jpeg: reply.body) == 42)
            }
            #expect(lanes.map(\.log.requests) == [1, 1])
            #expect(origin.log.requests == 0, "the origin's own log excludes lanes")
            lanes[0].close()
            #expect(try await client.get(addresses[0]).status == 404)
            #expect(try await client.get(addresses[1]).status == 200)
        }
    }

    @Test("a lane has its share of the bandwidth and the origin's other conditions")
    func conditions() async throws {
        let origin = DemoOrigin(conditions: DemoOrigin.Conditions(latency: 80, bandwidth: 25))
        let lanes = [origin.openLane(share: 0.5), origin.openLane(share: 0.5)]
        for lane in lanes {
            #expect(lane.transfers.conditions == DemoOrigin.Conditions(latency: 80, bandwidth: 12.5))
        }
        origin.conditions = DemoOrigin.Conditions(latency: 200, jitter: 0, bandwidth: 8, failureRate: 0.1)
        for lane in lanes {
            #expect(
                lane.transfers.conditions
                    == DemoOrigin.Conditions(latency: 200, jitter: 0, bandwidth: 4, failureRate: 0.1))
        }
        origin.conditions.bandwidth = nil
        #expect(lanes[0].transfers.conditions.bandwidth == nil)
        await origin.stop()
    }

    @Test("a lane's overrides apply only to that lane and survive changes of the origin")
    func overrides() async throws {
        let origin = DemoOrigin(conditions: DemoOrigin.Conditions(latency: 80, bandwidth: 25))
        let slow = origin.openLane(share: 0.5, overrides: DemoOrigin.Conditions.Changes(latency: 900, bandwidth: 4))
        let other = origin.openLane(share: 0.5)
        #expect(slow.transfers.conditions == DemoOrigin.Conditions(latency: 900, bandwidth: 2))
        #expect(other.transfers.conditions == DemoOrigin.Conditions(latency: 80, bandwidth: 12.5))
        #expect(origin.conditions == DemoOrigin.Conditions(latency: 80, bandwidth: 25))
        origin.conditions = DemoOrigin.Conditions(latency: 10, bandwidth: 50, failureRate: 0.5)
        #expect(slow.transfers.conditions == DemoOrigin.Conditions(latency: 900, bandwidth: 2, failureRate: 0.5))
        slow.override(with: DemoOrigin.Conditions.Changes(latency: 300), on: origin.conditions)
        try await eventually("the new latency", of: { slow.transfers.conditions }) {
            $0 == DemoOrigin.Conditions(latency: 300, bandwidth: 2, failureRate: 0.5)
        }
        #expect(origin.conditions.latency == 10)
        await origin.stop()
    }

    @Test("a share out of range is clamped", arguments: [(-1.0, 0.01), (0, 0.01), (2, 1), (.nan, 1)])
    func shares(_ given: Double, _ taken: Double) {
        let origin = DemoOrigin()
        #expect(origin.openLane(share: given).share == taken)
    }
}
