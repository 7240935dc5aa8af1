import Pipeline
import TaskPool

extension ThumbnailRunner {
    /// One try at a download. What it tells of its host, and whether there is to be another try, is the pool's affair.
    ///
    /// - Parameter beginning: what comes of a large picture now.
    func download(
        _ url: String, _ key: ThumbnailKey, _ picture: TaskPicture, unlessStill known: Thumbnail? = nil,
        beginning: FetchRequest.Beginning? = nil
    ) async -> StageOutcome<ThumbnailWork> {
        if let spent = SessionLane.spent(transfers.settledBytes(of: key.content), by: picture) { return .failed(spent) }
        var request = FetchRequest(url: url)
        request.revalidate = known?.version?.validators
        request.bodyLimit = limits.maxBytes
        request.isEnough = FetchRequest.stop(
            rendering: key.size, limits: limits, saving: settings.earlyStopSaving)
        request.beginning = beginning
        transfers.begin(key, holding: picture.begun, isHead: beginning?.asksForRange == true)
        do throws(FetchError) {
            let response = try await fetcher.fetch(request) { [transfers] soFar, total in
                transfers.received(soFar, total: total, of: key)
            }
            transfers.received(response.body.count, of: key)
            if response.isBeginning { transfers.pause(key) } else { transfers.end(key, completed: true) }
            // An abort would have closed an HTTP/1.1 connection, and costs the next fetch a new one.
            if !response.isHTTP2 {
                transfers.connected(isNew: !response.reusedConnection, waited: response.firstByte, for: key)
            }
            // Of a large file only the beginnings tell how many fetches at once are good: its rest takes as long as it is.
            let report = FetchReport(
                .whole, waited: picture.begun > 0 ? nil : response.firstByte, took: response.total,
                bytes: Double(response.body.count - response.resumedAt))
            if response.isBeginning { return .fetched(report, await showPreview(in: response, url, key, picture)) }
            learn(response, url, isAnswerToRange: beginning?.asksForRange == true)
            let version = SourceVersion(validators: response.validators, confirmed: Self.unixTime)
            if response.isNotModified, var known {
                known.version?.confirmed = version.confirmed
                save(known, of: picture)
                return .fetched(report, ready(known, key, picture))
            }
            let bytes = PictureBytes(bytes: response.body, isPartial: response.stoppedEarly, version: version)
            if let storeKey = picture.storeKey { unrendered.keep(bytes, for: storeKey) }
            return .fetched(report, .advance(to: .render, carrying: .picture(bytes, picture)))
        } catch {
            let waited = transfers.end(key, completed: false)
            if error == .cancelled { return .cancelled }
            let report = error.outcome.map {
                FetchReport(
                    $0, waited: error.isAnswer ? waited : nil, retryAfter: error.retryAfter.map { $0 * 1e3 })
            }
            if beginning?.asksForRange == true, error.outcome != .timedOut {
                // The host may stumble over parts: the whole is asked for before the picture fails.
                let goesOn = StageOutcome<ThumbnailWork>.advance(to: .fetch, carrying: .absent(picture))
                return report.map { .fetched($0, goesOn) } ?? goesOn
            }
            var failure = ItemFailure(reason: error.description, retryable: error.isRetryable)
            switch error {
            // Of one that is there already it says nothing.
            case .timeout where known == nil: failure = rememberTimeout(failure, of: picture)
            case .status(404, _): remember(failure, of: picture, seconds: settings.missingLifetime)
            case .status(410, _): remember(failure, of: picture, seconds: settings.goneLifetime)
            case .tooLarge: remember(failure, of: picture, seconds: settings.brokenLifetime)
            default: break
            }
            return report.map { .fetched($0, .failed(failure)) } ?? .failed(failure)
        }
    }
}

extension FetchError {
    /// What it says about the host; nil: nothing, it was not asked.
    var outcome: FetchReport.Outcome? {
        switch self {
        case .cancelled, .shutDown, .refusedURL, .refusedAddress, .invalidHeader: nil
        case .status(let status, _): FetchReport.Outcome(status: status)
        case .timeout: .timedOut
        case .unknownHost, .connectionRefused, .truncated, .transport: .broken
        case .tooManyRedirects, .tooLarge, .headersTooLarge, .tls, .badEncoding: .refused
        }
    }

    /// Whether the host answered, even if not with a picture.
    var isAnswer: Bool {
        switch self {
        case .status, .truncated, .tooLarge, .badEncoding, .headersTooLarge, .tooManyRedirects: true
        default: false
        }
    }
}
