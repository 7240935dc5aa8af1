import CCurl
import Media
import Threads

/// Handles libcurl's events of a hop. A result of `false` aborts the hop.
extension Transfer {
    /// Maximum bytes to read of a redirect's or an error's body, so that its connection can be reused.
    private static let maximumDiscarded = 64 << 10

    func mayConnect(to address: IPAddress, port: UInt16) -> Bool {
        if let kind = policy.refusal(of: address, port: port, for: url) {
            hop.refused = hop.refused ?? (address, kind)
            return false
        }
        hop.hasAllowedAddress = true
        return true
    }

    /// Checks the policy again, for a reused connection.
    func connected(to address: IPAddress?, port: UInt16) -> Bool {
        hop.isConnected = true
        // A longer `idleTimeout` includes connecting, so that a host that connects late and then sends nothing takes no longer than
        // a host that connects immediately.
        if configuration.idleTimeout <= configuration.connectTimeout { hop.lastActivity = .now }
        hop.remote = address
        guard let address else {
            hop.failure = .transport("connected to an unknown address")
            return false
        }
        if let kind = policy.refusal(of: address, port: port, for: url) {
            hop.failure = .refusedAddress(address, kind)
            return false
        }
        return true
    }

    /// Handles a header line, including its line end.
    func receive(header line: UnsafeBufferPointer<UInt8>) -> Bool {
        hop.lastActivity = .now
        headerBytes += line.count
        guard headerBytes <= configuration.headerLimit else {
            hop.failure = .headersTooLarge(limit: configuration.headerLimit)
            return false
        }
        if hop.head.add(line) { decide() }
        return hop.failure == nil && !hop.wantsRestart
    }

    /// Decides how to use the body after the headers are complete.
    private func decide() {
        hop.use = hop.head.use(for: job.request, resume: hop.resume, range: range)
        switch hop.use {
        case .keep(let offset):
            if let expected = hop.head.expected, expected > bodyLimit {
                hop.failure = .tooLarge(limit: bodyLimit)
                return
            }
            hop.body = offset > 0 ? hop.resume?.bytes ?? [] : []
            if let beginning, !beginning.requestsRange, let expected = hop.head.expected,
                expected >= max(beginning.minimumBody, beginning.length + 1), hop.head.resumable != nil
            {
                hop.stopsAt = beginning.length
            }
            // An announced length may be false, so reserve at most 4 MiB.
            hop.body.reserveCapacity(min(hop.head.part ?? hop.stopsAt ?? hop.head.expected ?? 0, 4 << 20))
        case .restart:
            mayResume = false
            beginning = nil
            hop.wantsRestart = true
        case .none, .discard, .redirect: break
        }
    }

    func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        hop.lastActivity = .now
        guard case .keep = hop.use else {
            hop.discarded += bytes.count
            return hop.discarded <= Self.maximumDiscarded
        }
        guard bytes.count <= bodyLimit - hop.body.count else {
            hop.failure = .tooLarge(limit: bodyLimit)
            return false
        }
        hop.body.append(contentsOf: bytes)
        job.onBytes?(hop.body.count, hop.head.expected)
        if let stop = hop.stopsAt, hop.body.count >= stop {
            hop.isBeginning = true
            return false
        }
        if let rule = job.request.isEnough, rule(hop.body.span, hop.head.expected) {
            hop.isEnough = true
            return false
        }
        return true
    }
}

extension Transfer {
    /// libcurl's callbacks. Each passes its arguments to the transfer immediately and stores none.
    static let callbacks = ccurl_callbacks(
        may_connect: { context, bytes, count, port in
            guard let context, let bytes,
                let address = IPAddress(networkOrder: UnsafeBufferPointer(start: bytes, count: count))
            else { return false }
            return Transfer.at(context).mayConnect(to: address, port: port)
        },
        connected: { context, address, port in
            guard let context, let address else { return false }
            return Transfer.at(context).connected(
                to: IPAddress(String(cString: address)), port: UInt16(clamping: port))
        },
        header: { context, bytes, count in
            guard let context else { return 0 }
            let line = UnsafeBufferPointer(start: bytes, count: count)
            // Any number but `count` aborts. A header line is never empty.
            return Transfer.at(context).receive(header: line) ? count : 0
        },
        body: { context, bytes, count in
            guard let context else { return 0 }
            let bytes = UnsafeBufferPointer(start: bytes, count: count)
            return Transfer.at(context).receive(body: bytes) ? count : count &+ 1
        })
}
