import Fetch
import Media

/// The first step for a picture that has no thumbnail: the whole picture, or its preview. The cheaper one that a person recognises comes
/// first.
///
/// The preview costs 68 kB and a millisecond. The whole picture costs all of its bytes and about 10 ms of decoding for each megabyte, so
/// below ``PreviewReader/minimumBytes`` it takes less than 5 ms.
///
/// | picture | condition | first |
/// | --- | --- | --- |
/// | file in a folder | the file is smaller than that | the whole |
/// | | otherwise | the preview |
/// | URL | the picture was downloaded before | the whole |
/// | | the host timed out, maybe because of a range request | the whole |
/// | | the host responded to a range request with the whole file | the whole |
/// | | the last large files of the host had no preview | the whole |
/// | | most files of the host are smaller than that | the whole |
/// | | most files of the host are as large or larger | the beginning, by a range request |
/// | | the host is unknown | the whole, cut after the beginning if the file is large |
/// | | the host is unknown, and other nodes share the work | the whole: only the node with the lease may download it |
package enum PreviewChoice: Equatable, Sendable {
    case whole
    /// The preview in a folder's file.
    case preview
    /// The beginning of a URL's picture, which may contain a preview.
    case beginning(requestsRange: Bool)

    package static func file(bytes: Int?) -> PreviewChoice {
        bytes ?? 0 >= PreviewReader.minimumBytes ? .preview : .whole
    }

    /// - Parameters:
    ///   - host: the files that came from the picture's host, or `nil` if none came.
    ///   - isHere: whether the picture's bytes were downloaded before.
    ///   - hasTimedOut: whether a download of the picture timed out.
    ///   - isShared: whether other nodes share the work.
    package static func url(
        from host: RemoteFiles.Host?, isHere: Bool = false, hasTimedOut: Bool = false, isShared: Bool = false
    ) -> PreviewChoice {
        guard !isHere, !hasTimedOut else { return .whole }
        guard let host else { return isShared ? .whole : .beginning(requestsRange: false) }
        guard !host.sendsWhole, !host.lacksPreviews, host.medianSize >= PreviewReader.minimumBytes else {
            return .whole
        }
        return .beginning(requestsRange: true)
    }

    /// How to request the beginning, or `nil` if something else comes first.
    package var beginning: FetchRequest.Beginning? {
        guard case .beginning(let requestsRange) = self else { return nil }
        return FetchRequest.Beginning(
            length: JPEGHead.length, minimumBody: PreviewReader.minimumBytes, requestsRange: requestsRange)
    }
}
