import BoundedCache
import CCurl
import Glibc
import Media
import Threads

/// The fetcher's thread: starts, watches and ends transfers. This object and all `Transfer`s are used only on that thread.
final class TransferLoop {
    private let loop: OpaquePointer
    private let mailbox: ThreadMailbox<FetchCommand>
    private let shared: SharedCounts
    private let configuration: FetchConfiguration

    private var policy: FetchPolicy
    private var partials: PartialBodies
    /// Transfers in flight. Keeps each alive while libcurl holds an unretained pointer to it.
    private var active: [ObjectIdentifier: Transfer] = [:]
    private var idleHandles: [OpaquePointer] = []
    /// No transfer times out before this. Activity only moves deadlines further away.
    private var nextSweep: ContinuousClock.Instant?
    private var counts = FetchCounts()
    private var isRunning = true

    private static let maximumIdleHandles = 64

    init(
        loop: OpaquePointer, mailbox: ThreadMailbox<FetchCommand>, shared: SharedCounts,
        configuration: FetchConfiguration
    ) {
        (self.loop, self.mailbox, self.shared, self.configuration) = (loop, mailbox, shared, configuration)
        policy = configuration.policy
        partials = PartialBodies(limit: configuration.partialBytes)
    }

    func run() {
        while isRunning {
            publish()
            ccurl_loop_turn(loop, nextSweep.map { max(.zero, $0 - .now).nanoseconds / 1_000 } ?? -1)
            for command in mailbox.take() { read(command) }
            collect()
            sweep()
        }
        end()
    }

    private func read(_ command: FetchCommand) {
        switch command {
        case .start(let job): begin(job)
        case .cancel(let call):
            if let transfer = active[ObjectIdentifier(call)] { finish(transfer, .failure(.cancelled)) }
        case .allow(let origin): policy.origins.insert(origin)
        case .stop: isRunning = false
        }
    }

    // MARK: Beginning

    private func begin(_ job: Job) {
        counts.started += 1
        guard !job.call.isCancelled.load(ordering: .acquiring) else {
            counts.cancelled += 1
            publish()
            return job.response.resolve(.failure(.cancelled))
        }
        do throws(FetchError) {
            if let name = job.request.headers.first(where: { !RequestHeaders.isSound($0.name, $0.value) })?.name {
                throw .invalidHeader(name: name)
            }
            let url = try judge { () throws(URLRefusal) in try WebURL(job.request.url) }
            guard let handle = idleHandles.popLast() ?? ccurl_transfer_create() else {
                throw .transport("out of memory")
            }
            let transfer = Transfer(job: job, url: url, handle: handle, configuration: configuration)
            active[ObjectIdentifier(job.call)] = transfer
            counts.inFlight += 1
            startHop(transfer)
        } catch {
            counts.failed += 1
            publish()
            job.response.resolve(.failure(error))
        }
    }

    private func judge(_ url: () throws(URLRefusal) -> WebURL, hop: Int = 0) throws(FetchError) -> WebURL {
        do throws(URLRefusal) {
            let url = try url()
            if let reason = policy.refusal?(url, hop) { throw .policy(reason) }
            return url
        } catch {
            throw .refusedURL(error)
        }
    }

    private func startHop(_ transfer: Transfer) {
        let kept = transfer.mayResume ? partials.peek(transfer.url.absolute) : nil
        do throws(FetchError) {
            try transfer.start(on: loop, policy: policy, kept: kept)
            schedule(transfer)
        } catch {
            finish(transfer, .failure(error))
        }
    }

    // MARK: Ending

    private func collect() {
        var code: Int32 = 0
        while let context = ccurl_loop_next_done(loop, &code) {
            let transfer = Transfer.at(context)
            switch transfer.verdict(code) {
            case .done(let result): finish(transfer, result)
            case .redirect(let location): follow(transfer, to: location)
            case .restart:
                endHop(transfer)
                startHop(transfer)
            }
        }
    }

    private func follow(_ transfer: Transfer, to location: String) {
        endHop(transfer)
        do throws(FetchError) {
            guard transfer.hopIndex < configuration.redirectLimit else {
                throw .tooManyRedirects(limit: configuration.redirectLimit)
            }
            let here = transfer.url
            transfer.move(
                to: try judge({ () throws(URLRefusal) in try here.resolving(location) }, hop: transfer.hopIndex + 1))
            counts.redirects += 1
            startHop(transfer)
        } catch {
            finish(transfer, .failure(error))
        }
    }

    /// Removes the hop from libcurl and adds its costs to the totals.
    private func endHop(_ transfer: Transfer) {
        transfer.stopHop(on: loop)
        counts.connections += transfer.takeConnections()
    }

    private func finish(_ transfer: Transfer, _ result: Result<FetchResponse, FetchError>) {
        endHop(transfer)
        active[ObjectIdentifier(transfer.job.call)] = nil
        counts.inFlight -= 1
        counts.wireBytes += transfer.wireBytes
        var result = result
        switch result {
        case .success(var response):
            transfer.complete(&response)
            result = .success(response)
            counts.succeeded += 1
            counts.resumed += response.resumedAt > 0 ? 1 : 0
            counts.stoppedEarly += response.stoppedEarly ? 1 : 0
            if !response.isBeginning {
                partials.remove(transfer.url.absolute)
            } else if let beginning = transfer.keptBeginning {
                partials.keepBeginning(beginning, of: transfer.url.absolute)
            }
        case .failure(let error):
            if error == .cancelled { counts.cancelled += 1 } else { counts.failed += 1 }
            let kept = transfer.partial(atLeast: configuration.partialMinimum, after: error)
            if let kept { partials.keep(kept, of: transfer.url.absolute) }
            counts.wastedBytes += max(
                0, transfer.wireBytes - (kept.map { $0.bytes.count - transfer.hop.resumedAt } ?? 0))
        }
        if idleHandles.count < Self.maximumIdleHandles {
            ccurl_transfer_reset(transfer.handle)
            idleHandles.append(transfer.handle)
        } else {
            ccurl_transfer_destroy(transfer.handle)
        }
        publish()
        transfer.job.response.resolve(result)
    }

    private func end() {
        for transfer in Array(active.values) { finish(transfer, .failure(.shutDown)) }
        let (unread, waiting) = mailbox.close()
        for case .start(let job) in unread { job.response.resolve(.failure(.shutDown)) }
        for handle in idleHandles { ccurl_transfer_destroy(handle) }
        idleHandles = []
        counts.openSockets = 0
        ccurl_loop_destroy(loop)
        shared.counts.withLock { $0 = counts }
        for continuation in waiting { continuation.resume() }
    }

    // MARK: Time

    private func schedule(_ transfer: Transfer) {
        nextSweep = min(nextSweep ?? transfer.due, transfer.due)
    }

    private func sweep() {
        let now = ContinuousClock.now
        guard let nextSweep, now >= nextSweep else { return }
        for transfer in Array(active.values) {
            if let phase = transfer.overdue(at: now) { finish(transfer, .failure(.timeout(phase))) }
        }
        self.nextSweep = active.values.map(\.due).min()
    }

    private func publish() {
        counts.openSockets = ccurl_loop_open_sockets(loop)
        shared.counts.withLock { $0 = counts }
    }
}

/// Beginnings of bodies whose transfer was interrupted late, by URL, so that the next attempt resumes. Bounded in bytes: evicts the
/// least recently stored first.
struct PartialBodies {
    private var bodies: BoundedCache<String, PartialBody>

    init(limit: Int) { bodies = BoundedCache(limit: limit) }

    var bytes: Int { bodies.cost }

    /// Returns the stored part. The part stays until `remove` or a longer part, because the attempt may fail before its first byte.
    func peek(_ url: String) -> PartialBody? { bodies[url] }

    /// Stores a beginning unless a longer part of the same body is stored.
    mutating func keepBeginning(_ body: PartialBody, of url: String) {
        if let kept = bodies[url], kept.validator == body.validator, kept.bytes.count >= body.bytes.count { return }
        keep(body, of: url)
    }

    mutating func keep(_ body: PartialBody, of url: String) { bodies.insert(body, for: url, cost: body.bytes.count) }

    mutating func remove(_ url: String) { bodies.remove(url) }
}
