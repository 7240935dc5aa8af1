import MicroHTTP
import TestSupport
import Testing

/// Several streams on one connection.
@Suite(.timeLimit(.minutes(1)))
struct StreamLaneTests: ServesEvents {
    @Test("events carry their lane's name, and closing the last lane ends the connection")
    func lanes() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) { _, port in
            let client = try open(port)
            _ = try client.read(until: "retry: 2000\n\n")
            let lanes = try first(opened).lanes(["a", "b"])
            #expect(lanes[0].send(Event(name: "x", id: "7", data: "1")) == .sent)
            #expect(lanes[1].send(Event(name: "y", data: "2")) == .sent)
            #expect(try client.read(until: "\n\n") == "id: a.7\nevent: x\ndata: 1\n\n")
            #expect(try client.read(until: "\n\n") == "id: b.\nevent: y\ndata: 2\n\n")
            lanes[0].close(bye: Event(name: "bye", data: "0"))
            lanes[0].close(bye: Event(name: "bye", data: "once"))
            #expect(!lanes[0].isOpen && lanes[1].isOpen)
            #expect(lanes[0].send(Event(name: "x", data: "late")) == .closed)
            #expect(lanes[1].send(Event(name: "y", data: "3")) == .sent)
            #expect(try client.read(until: "\n\n") == "id: a.\nevent: bye\ndata: 0\n\n")
            #expect(try client.read(until: "\n\n") == "id: b.\nevent: y\ndata: 3\n\n")
            lanes[1].close()
            #expect(client.seesEnd())
        }
    }

    @Test("each lane supersedes and discards only its own events")
    func ownEvents() async throws {
        let opened = Recorder<EventStream>()
        let drained = [Promise<Bool>(), Promise<Bool>()]
        try await serving(router(opened)) { _, port in
            let client = try open(port, receiveBuffer: 4096)
            _ = try client.read(until: "retry: 2000\n\n")
            let lanes = try first(opened).lanes(["a", "b"])
            for (lane, drained) in zip(lanes, drained) { lane.onDrain { drained.fulfil(true) } }
            let filler = Event(name: "f", data: [UInt8](repeating: 65, count: 100_000))
            var fillers = 0
            repeat { fillers += 1 } while lanes[0].send(filler) == .sent && fillers < 100
            for lane in lanes { for text in ["old", "new"] { lane.send(Event(name: "plan", data: text, key: 1)) } }
            for lane in lanes { lane.send(Event(name: "picture", data: ".", key: 2)) }
            #expect(lanes[1].discard { $0 == 2 } == 1)
            lanes[1].send(Event(name: "end", data: "."))
            let text = try client.read(until: "event: end\ndata: .\n\n")
            let expected = ["a.\nevent: plan\ndata: new", "b.\nevent: plan\ndata: new", "a.\nevent: picture\ndata: ."]
            #expect(text.hasSuffix(expected.map { "id: \($0)\n\n" }.joined() + "id: b.\nevent: end\ndata: .\n\n"))
            for drained in drained { #expect(try drained.wait()) }
        }
    }
}
