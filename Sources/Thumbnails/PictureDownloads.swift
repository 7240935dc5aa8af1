import Fetch
import Media
import TaskPool

/// Downloads pictures or their beginnings. Measures the downloads and learns about each host's files.
final class PictureDownloads: Sendable {
    enum Outcome: Sendable {
        case picture(PictureBytes)
        /// The thumbnail is current. Contains the time at which the origin confirmed that.
        case unchanged(Thumbnail)
        /// The beginning of a large picture.
        case beginning(FetchResponse)
    }

    struct Failure: Error {
        var error: FetchError
        /// The report about the host for the pool, or `nil` if no request reached the host.
        var report: FetchReport?
    }

    let fetcher: any Fetcher
    private let transfers: TransferMeter
    private let limits: RenderLimits
    /// Minimum number of bytes that stopping a download early must save.
    private let earlyStopSaving: Int
    private let previews: PreviewReader?
    /// Budget for the bytes of downloads in flight.
    private let budget: ByteBudget

    init(
        _ fetcher: any Fetcher, transfers: TransferMeter, limits: RenderLimits, earlyStopSaving: Int,
        previews: PreviewReader?
    ) {
        self.fetcher = fetcher
        self.transfers = transfers
        self.limits = limits
        self.earlyStopSaving = earlyStopSaving
        self.previews = previews
        budget = ByteBudget(limit: Self.fileLimits * limits.maxBytes)
    }

    /// Number of files of maximum size whose bytes may be held at the same time.
    private static let fileLimits = 4

    /// Makes one try. The pool decides about retries.
    ///
    /// - Parameters:
    ///   - limit: The limit for which the download has waited.
    ///   - held: Number of bytes of the picture's beginning that are already held.
    ///   - known: A thumbnail of the picture that may be stale.
    ///   - beginning: Requests only the beginning of a large picture.
    func download(
        _ url: String, for key: ThumbnailKey, after limit: SlotLimit?, holding held: Int,
        unlessStill known: Thumbnail? = nil, beginning: FetchRequest.Beginning? = nil
    ) async throws(Failure) -> (outcome: Outcome, report: FetchReport) {
        var request = FetchRequest(url: url)
        request.revalidate = known?.version?.validators
        request.bodyLimit = limits.maxBytes
        let stop = FetchRequest.stop(rendering: key.size, limits: limits, saving: earlyStopSaving)
        let share = budget.share()
        request.isEnough = { body, expected in !share.hold(body.count) || stop(body, expected) }
        request.beginning = beginning
        transfers.begin(key, after: limit, holding: held, isHead: beginning?.requestsRange == true)
        let response: FetchResponse
        do throws(FetchError) {
            response = try await fetcher.fetch(request) { [transfers] soFar, total in
                transfers.received(soFar, total: total, of: key)
            }
        } catch {
            let waited = transfers.end(key, completed: false)
            let report = error.outcome.map {
                FetchReport(
                    $0, waited: error.isResponse ? waited : nil, retryAfter: error.retryAfter.map { $0 * 1e3 },
                    reason: error.description)
            }
            throw Failure(error: error, report: report)
        }
        // Not the host's fault. There may be room again now, but the rest of the picture is missing.
        guard !response.stoppedEarly || !share.wasRefused else {
            transfers.end(key, completed: false)
            throw Failure(error: .transport("too many bytes in flight"), report: nil)
        }
        return (take(response, url, key, unlessStill: known, beginning: beginning), report(of: response, held))
    }

    private func take(
        _ response: FetchResponse, _ url: String, _ key: ThumbnailKey, unlessStill known: Thumbnail?,
        beginning: FetchRequest.Beginning?
    ) -> Outcome {
        transfers.received(response.body.count, of: key)
        if response.isBeginning { transfers.pause(key) } else { transfers.end(key, completed: true) }
        // An abort would have closed an HTTP/1.1 connection, so the next fetch would need a new connection.
        if !response.isHTTP2 {
            transfers.connected(isNew: !response.reusedConnection, waited: response.firstByte, for: key)
        }
        if response.isBeginning { return .beginning(response) }
        learn(response, url, isRangeResponse: beginning?.requestsRange == true)
        let version = SourceVersion(
            validators: response.validators, confirmed: UnixTime.now, lifetime: response.lifetime)
        if response.isNotModified, var known {
            known.version?.confirm(version)
            return .unchanged(known)
        }
        return .picture(PictureBytes(bytes: response.body, isPartial: response.stoppedEarly, version: version))
    }

    /// Returns the report about a response for the pool. Omits the wait if the fetch resumed a large file: the time of the rest
    /// depends on the file's size, so only the beginning shows how many concurrent fetches are good.
    private func report(of response: FetchResponse, _ held: Int) -> FetchReport {
        FetchReport(
            .whole, waited: held > 0 ? nil : response.firstByte, took: response.total,
            bytes: Double(response.body.count - response.resumedAt))
    }

    /// Learns from a whole picture about the files of its host.
    private func learn(_ response: FetchResponse, _ url: String, isRangeResponse: Bool) {
        guard let previews, !response.isNotModified else { return }
        previews.remoteFiles.withLock {
            $0.came(
                from: Authority.name(in: url), size: max(response.body.count, response.announced ?? 0),
                sentWhole: isRangeResponse && response.status == 200)
        }
    }
}

extension FetchError {
    /// The outcome for the report about the host, or `nil` if no request reached the host.
    fileprivate var outcome: FetchReport.Outcome? {
        switch self {
        case .cancelled, .shutDown, .refusedURL, .refusedAddress, .invalidHeader: nil
        case .status(let status, _): FetchReport.Outcome(status: status)
        case .timeout: .timedOut
        case .unknownHost, .connectionRefused, .truncated, .transport: .broken
        case .tooManyRedirects, .tooLarge, .headersTooLarge, .tls, .badEncoding: .refused
        }
    }

    /// Whether the host responded, even if not with a picture.
    fileprivate var isResponse: Bool {
        switch self {
        case .status, .truncated, .tooLarge, .badEncoding, .headersTooLarge, .tooManyRedirects: true
        default: false
        }
    }
}
