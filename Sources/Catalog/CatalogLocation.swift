import Glibc

/// A source of pictures as a person writes it: a folder, a list, or a list on standard input.
public enum CatalogLocation: Sendable, Equatable {
    case folder(path: String)
    case list(path: String)
    /// NDJSON on standard input, written as `-`.
    case standardInput

    /// - Throws: ``SourceError`` if `text` is neither a folder nor a list. The error names the valid formats.
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

    /// Opens the source. Folders and long lists are read further in the background. A folder and a list's file are read again if they
    /// change.
    ///
    /// - Parameters:
    ///   - folderOptions: options for a folder. Also used for watching a list's file.
    ///   - index: source of facts about a folder's pictures. If `nil`, facts stay unknown.
    ///   - warn: receives a sentence for the operator about a problem: changes that will not be noticed, entries that are left out.
    ///   - progress: receives the number of items and bytes read so far. Called while reading a list that is only shown once complete.
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
                    firstCheck: folderOptions.publishInterval, warn: warn)
            } catch {
                throw SourceError(source: "-", reason: error.description)
            }
        }
    }
}

/// Reason why a source cannot be shown.
public struct SourceError: Error, Sendable, Equatable, CustomStringConvertible {
    public let source: String
    public let reason: String

    public init(source: String, reason: String) {
        self.source = source
        self.reason = reason
    }

    public var description: String { "\(source): \(reason)" }
}
