import Media
import Numbers
import Store
import Synchronization
import Threads

// Runs on the client's thread, unless a method says otherwise.
extension SharedThumbnails {
    private var now: Double { (ContinuousClock.now - began) / .milliseconds(1) }

    /// Claims a want, for the first time or again. Calls `asker` once with the outcome.
    ///
    /// - Parameter number: Number of the want, or 0 before its first claim.
    /// - Returns: Number of the want from now on.
    func ask(
        _ claim: Claim, _ number: LeaseTable.Want, _ base: String, on server: Int, _ asker: @escaping Asker
    ) -> LeaseTable.Want {
        let (number, actions) = state.withLock { state in
            // A want that has ended gets a new number.
            let isOpen = state.tables[server].contains(number)
            let number = isOpen ? number : state.tables[server].want(base, now: now)
            let actions = state.tables[server].claim(number, now: now)
            if !actions.isEmpty {
                state.forget(number, on: server)
                state.wants[server][number] = Open(claim: claim, base: base, asker: asker)
            }
            return (number, actions)
        }
        if actions.isEmpty { asker(.alone) }
        perform(actions, on: server, of: number)
        return number
    }

    /// Releases a want. May be called from any thread.
    func release(_ number: LeaseTable.Want, server: Int) {
        guard number != 0 else { return }
        client?.call { [self] in change(server, number) { $0.release(number) } }
    }

    /// Finishes the work of a want. May be called from any thread.
    ///
    /// If nobody waits for the result, the call may be delayed. A node that starts to wait sends a message, which ends the delay.
    func finish(_ number: LeaseTable.Want, base: String, server: Int, _ result: Result) {
        let isHeld = state.withLock { $0.tables[server].isHeld(number) }
        let finish: @Sendable () -> Void = { [self] in
            let actions = state.withLock { $0.tables[server].finish(number) }
            var token = ""
            for case .finish(_, _, let lead) in actions { token = self.token(lead) }
            save(result, base: base, server: server, token: token)
            perform(actions, on: server, of: number)
        }
        if isHeld { client?.call(finish) } else { client?.callLater(finish) }
    }

    /// Saves a result on a server and notifies the waiting nodes.
    ///
    /// - Parameter token: Token of the lease under which the result was made, or empty if there was no lease.
    func save(_ result: Result, base: String, server: Int, token: String) {
        let kind: String, value: [UInt8], lifetime: Int
        switch result {
        case .thumbnail(let thumbnail):
            (kind, value, lifetime) = ("T", ThumbnailRecord.encode(thumbnail), Self.lifetime)
        case .failure(let failure, let seconds):
            (kind, value, lifetime) = (
                "N", failure.bytes, Int(clamping: max(1, min(seconds * 1e3, SharedFailure.longestLife)))
            )
        }
        var command = command(ClaimScripts.finish, base, room: value.count)
        command.append(token)
        command.append(base)
        command.append(kind)
        command.append(value)
        command.append(lifetime)
        run(command, on: server) { [weak self] reply in
            if !token.isEmpty, reply?.integer == 0 { self?.state.withLock { $0.counts.lost += 1 } }
        }
    }

    func received(_ event: RedisClient.Event) {
        switch event {
        case .pulse:
            let renewals = state.withLock { state in state.tables.map { $0.renewals() } }
            for (server, actions) in renewals.enumerated() {
                perform(actions, on: server)
                beat(server)
            }
            countNodes()
        case .message(let server, let bytes) where bytes.first == UInt8(ascii: "G"): beat(server)
        case .message(let server, let bytes):
            guard let message = LeaseMessage(code: bytes.first), bytes.count > 2 else { return }
            let end = bytes[2...].firstIndex(of: UInt8(ascii: " ")) ?? bytes.endIndex
            let base = String(decoding: bytes[2..<end], as: UTF8.self)
            if end < bytes.endIndex { arrived(bytes[(end + 1)...], of: base, on: server) }
            change(server) { $0.received(message, of: base) }
        case .lost(let server, let reason):
            change(server) { $0.lost() }
            let isNews = state.withLock { state in
                defer { state.isOpen[server] = false }
                return state.isOpen[server] != false
            }
            if isNews, let client {
                report("Redis at \(client.servers[server]) is unavailable, thumbnails are not shared: \(reason)")
            }
        case .opened(let server):
            state.withLock { $0.isOpen[server] = true }
            beat(server)
            checkMemory(of: server)
        }
    }

    /// Stores a thumbnail that arrived with a `done` message, for each waiting want that accepts a thumbnail of this age.
    private func arrived(_ record: ArraySlice<UInt8>, of base: String, on server: Int) {
        state.withLock { state in
            let waiting = state.tables[server].wants(of: base)
            guard !waiting.isEmpty, let thumbnail = ThumbnailRecord.decode(Array(record)) else { return }
            for want in waiting where state.arrivedBytes + thumbnail.byteCount <= Self.maximumArrived {
                guard let open = state.wants[server][want], open.arrived == nil,
                    thumbnail.version?.confirmed ?? 0 > open.claim.newerThan
                else { continue }
                state.wants[server][want]?.arrived = thumbnail
                state.arrivedBytes += thumbnail.byteCount
            }
        }
    }

    /// Removes and returns the thumbnail that arrived for a want, and ends the want. `nil` if no thumbnail arrived.
    func takeArrived(_ want: SharedWant) -> Thumbnail? {
        let (thumbnail, actions) = state.withLock { state -> (Thumbnail?, [LeaseAction]) in
            guard let thumbnail = state.wants[want.server][want.number]?.arrived else { return (nil, []) }
            state.forget(want.number, on: want.server)
            state.counts.hits += 1
            return (thumbnail, state.tables[want.server].found(want.number))
        }
        guard thumbnail != nil else { return nil }
        want.end()
        perform(actions, on: want.server)
        return thumbnail
    }

    /// Logs a warning if a server has no memory limit, or refuses thumbnails when full.
    private func checkMemory(of server: Int) {
        guard let client else { return }
        let address = client.servers[server]
        client.send(RedisCommand("INFO", "memory"), to: server) { [report] reply in
            let lines = String(decoding: reply?.bytes ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
            if lines.contains("maxmemory:0") {
                report("Redis at \(address) has no memory limit, thumbnails may fill the memory: set its maxmemory")
            } else if lines.contains("maxmemory_policy:noeviction") {
                report(
                    "Redis at \(address) refuses thumbnails when it is full: set its maxmemory-policy to volatile-lru")
            }
        }
    }

    // MARK: Lease actions

    private func change(
        _ server: Int, _ number: LeaseTable.Want = 0, _ body: (inout LeaseTable) -> [LeaseAction]
    ) {
        perform(state.withLock { body(&$0.tables[server]) }, on: server, of: number)
    }

    /// Carries out actions of a lease table.
    ///
    /// - Parameter number: The want that caused the actions, which they may have ended. 0 for none.
    private func perform(_ actions: [LeaseAction], on server: Int, of number: LeaseTable.Want = 0) {
        for action in actions {
            switch action {
            case .claim(let want, let base, let token): claim(want, base, token, on: server)
            case .lead(let want, _): complete(want, .lead, on: server)
            case .wait(let want, let time): complete(want, .wait(milliseconds: time), on: server)
            case .alone(let want): complete(want, .alone, on: server)
            case .wake(let want): open(want, on: server)?.claim.wake()
            case .hold(let want): open(want, on: server)?.claim.hold(true)
            case .unhold(let want): open(want, on: server)?.claim.hold(false)
            // `finish(_:base:server:_:)` saves the result, and the script ends the lease.
            case .finish: break
            case .release(let base, let token):
                run(ClaimScripts.release, base, on: server, self.token(token), base)
            case .keep(let base, let token):
                run(ClaimScripts.keep, base, on: server, self.token(token), base, lease)
            case .drop(let base): run(ClaimScripts.drop, base, on: server, "", base, node)
            }
        }
        guard number != 0 else { return }
        state.withLock { state in
            if !state.tables[server].contains(number) { state.forget(number, on: server) }
        }
    }

    private func open(_ want: LeaseTable.Want, on server: Int) -> Open? { state.withLock { $0.wants[server][want] } }

    private func complete(_ want: LeaseTable.Want, _ reply: Reply, on server: Int) {
        let asker = state.withLock { state in
            defer { state.wants[server][want]?.asker = nil }
            return state.wants[server][want]?.asker
        }
        asker?(reply)
    }

    private func claim(_ want: LeaseTable.Want, _ base: String, _ token: UInt64, on server: Int) {
        guard let claim = open(want, on: server)?.claim else { return }
        var command = command(ClaimScripts.claim, base)
        command.append(self.token(token))
        command.append(base)
        command.append(node)
        command.append(lease)
        command.append("\(claim.newerThan)")
        command.append(claim.forgives ? "1" : "0")
        // Sent before the claim, so that the server replies to this command first.
        let cooldown = HostCooldown()
        if let host = claim.host {
            client?.send(RedisCommand("PTTL", SharedKeys.rest(of: host)), to: server) { cooldown.set($0?.integer) }
        }
        run(command, on: server) { [self] reply in
            let (result, found) = ClaimReply.read(reply)
            if let found { self.complete(want, .found(found), on: server) }
            // The caller then drops its `SharedWant`, which releases the lease.
            if result.isLead, let milliseconds = cooldown.milliseconds {
                self.complete(want, .hostPaused(milliseconds: milliseconds), on: server)
            }
            if case .array? = reply, result == .away { state.withLock { $0.counts.foreign += 1 } }
            change(server, want) {
                $0.replied(want, key: base, token: token, result, random: .random(in: 0..<1))
            }
        }
    }

    private func token(_ number: UInt64) -> String { "\(node):\(incarnation):\(number)" }

    private func command(_ script: Int, _ base: String, room: Int = 0) -> RedisCommand {
        RedisCommand(script: script, keys: ClaimScripts.keys(of: base), room: room)
    }

    private func run(_ script: Int, _ base: String, on server: Int, _ arguments: String...) {
        var command = command(script, base)
        for argument in arguments { command.append(argument) }
        run(command, on: server) { _ in }
    }

    private func run(_ command: RedisCommand, on server: Int, completion: @escaping RedisCommand.Completion) {
        guard let client else { return completion(nil) }
        client.send(command, to: server, completion: completion)
    }
}

/// The cooldown of a host, as the server reports it just before the reply to a claim.
private final class HostCooldown: Sendable {
    private let time = Atomic<Int64>(0)

    func set(_ milliseconds: Int64?) { time.store(milliseconds ?? 0, ordering: .relaxed) }

    /// Remaining time, or `nil` if the host does not cool down.
    var milliseconds: Double? {
        let time = time.load(ordering: .relaxed)
        return time > 0 ? min(Double(time), SharedThumbnails.longestPause) : nil
    }
}
