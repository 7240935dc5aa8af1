import CCurl
import Media

/// Decides what follows the end of a hop: a result, a redirect or a restart.
extension Transfer {
    enum Verdict {
        case done(Result<FetchResponse, FetchError>)
        case redirect(String)
        /// Request again, without the held part.
        case restart
    }

    func verdict(_ code: Int32) -> Verdict {
        if let failure = hop.failure { return .done(.failure(failure)) }
        if hop.wantsRestart { return .restart }
        let outcome = ccurl_outcome_of(code)
        switch hop.use {
        case .redirect(let location):
            return .redirect(location)
        case .discard:
            return .done(.failure(.status(hop.head.status, retryAfter: hop.head.retryAfter)))
        case .keep where outcome == CCURL_OK || hop.isEnough || hop.isBeginning:
            guard let part = hop.head.part, !hop.isEnough else { return .done(.success(response)) }
            guard part == hop.body.count else {
                return .done(.failure(.truncated(received: hop.body.count, expected: part)))
            }
            hop.isBeginning = part < hop.head.expected ?? part
            return .done(.success(response))
        case .none where outcome == CCURL_OK && hop.head.status == 304:
            return .done(.success(response))
        case .none, .keep, .restart:
            return .done(.failure(error(outcome, code)))
        }
    }

    private func error(_ outcome: ccurl_outcome, _ code: Int32) -> FetchError {
        if case .keep = hop.use, [CCURL_PARTIAL, CCURL_OTHER, CCURL_TLS].contains(outcome) {
            return .truncated(received: hop.body.count, expected: hop.head.expected)
        }
        let reason = String(cString: ccurl_describe(code))
        switch outcome {
        case CCURL_TIMEOUT: return .timeout(.connect)
        case CCURL_RESOLVE: return .unknownHost(url.origin.host)
        case CCURL_CONNECT:
            if let refused = hop.refused, !hop.hasAllowedAddress {
                return .refusedAddress(refused.address, refused.kind)
            }
            return .connectionRefused
        case CCURL_TLS, CCURL_CERTIFICATE: return .tls(reason)
        case CCURL_ENCODING: return .badEncoding
        case CCURL_URL: return .refusedURL(.malformed)
        case CCURL_LINE where hop.isConnected: return .headersTooLarge(limit: configuration.headerLimit)
        default: return .transport(reason)
        }
    }

    private var response: FetchResponse {
        FetchResponse(
            status: hop.head.status, headers: hop.head.fields, body: hop.body, url: url.absolute, remote: hop.remote,
            reusedConnection: false, isHTTP2: false, redirects: hopIndex, resumedAt: hop.resumedAt,
            stoppedEarly: hop.isEnough, isBeginning: hop.isBeginning, announced: hop.head.expected, wireBytes: 0,
            firstByte: 0, total: 0)
    }

    /// Adds the figures that are known only after the hop has ended.
    func complete(_ response: inout FetchResponse) {
        response.reusedConnection = hop.isReused
        response.isHTTP2 = hop.info.http_version == 20
        response.wireBytes = wireBytes
        response.firstByte = Double(hop.info.first_byte_us) / 1_000
        response.total = Double(hop.info.total_us) / 1_000
    }

    /// The received beginning, if a later request can continue from it.
    var keptBeginning: PartialBody? {
        guard hop.isBeginning, let validator = hop.head.resumable else { return nil }
        return PartialBody(bytes: hop.body, validator: validator)
    }

    /// The body so far, if a later attempt can continue from it.
    func partial(atLeast minimum: Int, after error: FetchError) -> PartialBody? {
        guard case .keep = hop.use, hop.head.part == nil, hop.body.count >= max(minimum, 1),
            let validator = hop.head.resumable
        else {
            return nil
        }
        switch error {
        case .cancelled, .timeout, .truncated, .transport: return PartialBody(bytes: hop.body, validator: validator)
        default: return nil
        }
    }
}
