import Fetch
import PhotoFacts
import Pictures
import TaskPool

/// Downloads pictures, or their beginnings: measures how long that takes and what files each host has.
final class PictureDownloads: Sendable {
    enum Outcome: Sendable {
        case picture(PictureBytes)
        /// The thumbnail shows the picture as it is; with the time at which its origin said so.
        case unchanged(Thumbnail)
        /// The beginning of a large picture.
        case beginning(FetchResponse)
    }

    /// A try that failed.
    struct Failure: Error {
        var error: FetchError
        /// The report about the host for the pool; `nil` where the host was not asked.
        var report: FetchReport?
    }

    let fetcher: any Fetcher
    private let transfers: TransferMeter
    private let limits: RenderLimits
    /// Bytes that stopping a download early must save at least.
    private let earlyStopSaving: Int
    private let previews: PreviewReader?
    /// Bytes of downloads under way.
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

    /// As many files of the greatest size may be under way at once.
    private static let fileLimits = 4

    /// One try. Whether there is to be another is the pool's affair.
    ///
    /// - Parameters:
    ///   - held: bytes of its beginning that are here already.
    ///   - known: a thumbnail of the picture that may be out of date.
    ///   - beginning: asks for no more than the beginning of a large picture.
    func download(
        _ url: String, for key: ThumbnailKey, holding held: Int, unlessStill known: Thumbnail? = nil,
        beginning: FetchRequest.Beginning? = nil
    ) async throws(Failure) -> (outcome: Outcome, report: FetchReport) {
        var request = FetchRequest(url: url)
        request.revalidate = known?.version?.validators
        request.bodyLimit = limits.maxBytes
        let stop = FetchRequest.stop(rendering: key.size, limits: limits, saving: earlyStopSaving)
        let share = budget.share()
        request.isEnough = { body, expected in !share.hold(body.count) || stop(body, expected) }
        request.beginning = beginning
        transfers.begin(key, holding: held, isHead: beginning?.asksForRange == true)
        let response: FetchResponse
        do throws(FetchError) {
            response = try await fetcher.fetch(request) { [transfers] soFar, total in
                transfers.received(soFar, total: total, of: key)
            }
        } catch {
            let waited = transfers.end(key, completed: false)
            let report = error.outcome.map {
                FetchReport(
                    $0, waited: error.isAnswer ? waited : nil, retryAfter: error.retryAfter.map { $0 * 1e3 },
                    reason: error.description)
            }
            throw Failure(error: error, report: report)
        }
        // No fault of the host's. There may be room again by now, but the rest of the picture is missing.
        guard !response.stoppedEarly || !share.wasRefused else {
            transfers.end(key, completed: false)
            throw Failure(error: .transport("no room for it now"), report: nil)
        }
        return (take(response, url, key, unlessStill: known, beginning: beginning), report(of: response, held))
    }

    private func take(
        _ response: FetchResponse, _ url: String, _ key: ThumbnailKey, unlessStill known: Thumbnail?,
        beginning: FetchRequest.Beginning?
    ) -> Outcome {
        transfers.received(response.body.count, of: key)
        if response.isBeginning { transfers.pause(key) } else { transfers.end(key, completed: true) }
        // An abort would have closed an HTTP/1.1 connection, and costs the next fetch a new one.
        if !response.isHTTP2 {
            transfers.connected(isNew: !response.reusedConnection, waited: response.firstByte, for: key)
        }
        if response.isBeginning { return .beginning(response) }
        learn(response, url, isAnswerToRange: beginning?.asksForRange == true)
        let version = SourceVersion(
            validators: response.validators, confirmed: UnixTime.now, lifetime: response.lifetime)
        if response.isNotModified, var known {
            known.version?.confirm(version)
            return .unchanged(known)
        }
        return .picture(PictureBytes(bytes: response.body, isPartial: response.stoppedEarly, version: version))
    }

    /// Of a large file only the beginnings tell how many fetches at once are good: its rest takes as long as it is.
    private func report(of response: FetchResponse, _ held: Int) -> FetchReport {
        FetchReport(
            .whole, waited: held > 0 ? nil : response.firstByte, took: response.total,
            bytes: Double(response.body.count - response.resumedAt))
    }

    // MARK: Hosts' files

    /// How the beginning of a picture is to be asked for; nil: the whole is, at once.
    func beginning(at url: String) -> FetchRequest.Beginning? {
        previews?.remoteFiles.withLock { $0.beginning(from: Authority.name(in: url)) }
    }

    /// Remembers of a picture that came whole what its host's files are like.
    private func learn(_ response: FetchResponse, _ url: String, isAnswerToRange: Bool) {
        guard let previews, !response.isNotModified else { return }
        let size = max(response.body.count, response.announced ?? 0)
        let isLarge = size >= PreviewReader.leastBytes
        let head = isLarge ? JPEGHead(Array(response.body.prefix(JPEGHead.length))) : nil
        previews.remoteFiles.withLock {
            $0.came(
                from: Authority.name(in: url), size: size,
                hasPreview: isLarge ? head?.preview != nil : nil,
                sentWhole: isAnswerToRange && response.status == 200)
        }
    }
}

extension FetchError {
    /// The report about the host; nil: it was not asked.
    fileprivate var outcome: FetchReport.Outcome? {
        switch self {
        case .cancelled, .shutDown, .refusedURL, .refusedAddress, .invalidHeader: nil
        case .status(let status, _): FetchReport.Outcome(status: status)
        case .timeout: .timedOut
        case .unknownHost, .connectionRefused, .truncated, .transport: .broken
        case .tooManyRedirects, .tooLarge, .headersTooLarge, .tls, .badEncoding: .refused
        }
    }

    /// Whether the host answered, even if not with a picture.
    fileprivate var isAnswer: Bool {
        switch self {
        case .status, .truncated, .tooLarge, .badEncoding, .headersTooLarge, .tooManyRedirects: true
        default: false
        }
    }
}
