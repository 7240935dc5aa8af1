import Glibc

/// A source of pictures as a person names it: a folder, a list, or a list on standard input.
public enum CatalogLocation: Sendable, Equatable {
    case folder(path: String)
    case list(path: String)
    /// NDJSON, written as `-`.
    case standardInput

    /// - Throws: ``SourceError`` when it is neither a folder nor a list, with what would be.
    public init(_ text: String) throws(SourceError) {
        if text == "-" {
            self = .standardInput
            return
        }
        var status = stat()
        guard stat(text, &status) == 0 else {
            throw SourceError(source: text, reason: String(cString: strerror(errno)))
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            self = .folder(path: text)
        } else if ListFormat(path: text) != nil {
            self = .list(path: text)
        } else {
            throw SourceError(
                source: text, reason: "is neither a folder nor a list (\(ListFormat.endings), or - for NDJSON)")
        }
    }

    /// Opens the source. A folder, or a list that takes long, goes on being read in the background. A folder and a list's file are
    /// read again when they change.
    ///
    /// - Parameters:
    ///   - folderOptions: also say how a list's file is watched.
    ///   - index: what knows the facts of a folder's pictures; `nil` leaves them unknown.
    ///   - warn: told, in a sentence for the operator, what could not be done as it should: changes that will not
    ///     be noticed, entries that were left out.
    ///   - progress: told, while a list that is shown only when whole is read, the number of items and of bytes so far.
    public func open(
        folderOptions: FolderOptions = FolderOptions(), listLimits: ListLimits = ListLimits(),
        index: PictureIndex? = nil,
        warn: @escaping @Sendable (String) -> Void = { _ in },
        progress: @escaping @Sendable (_ items: Int, _ bytes: Int) -> Void = { _, _ in }
    ) throws(SourceError) -> any CatalogSource {
        switch self {
        case .folder(let path):
            do throws(FolderError) {
                return try FolderCatalog(path: path, options: folderOptions, index: index, warn: warn)
            } catch {
                throw SourceError(source: path, reason: error.reason)
            }
        case .list(let path):
            do throws(ListProblem) {
                return try GrowingList(
                    contentsOf: path, limits: listLimits, watching: folderOptions, warn: warn, progress: progress)
            } catch {
                throw SourceError(source: path, reason: error.description)
            }
        case .standardInput:
            do throws(ListProblem) {
                return try GrowingList(
                    reading: 0, as: .ndjson, title: "Standard input", name: "-", limits: listLimits,
                    firstLook: folderOptions.publishInterval, warn: warn)
            } catch {
                throw SourceError(source: "-", reason: error.description)
            }
        }
    }
}

/// Why a source cannot be shown.
public struct SourceError: Error, Sendable, Equatable, CustomStringConvertible {
    public let source: String
    public let reason: String

    public init(source: String, reason: String) {
        self.source = source
        self.reason = reason
    }

    public var description: String { "\(source): \(reason)" }
}
