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
                source: text, reason: "is neither a folder nor a list (.txt, .csv, .json or .ndjson, or - for NDJSON)")
        }
    }

    /// Opens the source. A folder, or a list that takes long, goes on being read in the background.
    ///
    /// - Parameters:
    ///   - index: what knows the facts of a folder's pictures; `nil` leaves them unknown.
    ///   - warn: told, in a sentence for the operator, what could not be done as it should: changes that will not
    ///     be noticed, entries that were left out.
    ///   - progress: told, while a list that is shown only when whole is read, the number of items and of bytes so far.
    public func open(
        folderOptions: FolderOptions = FolderOptions(), listLimits: ListLimits = ListLimits(),
        index: PictureIndex? = nil,
        warn: @escaping @Sendable (String) -> Void = { _ in },
        progress: (_ items: Int, _ bytes: Int) -> Void = { _, _ in }
    ) throws(SourceError) -> any CatalogSource {
        let firstLook = folderOptions.publishInterval
        switch self {
        case .folder(let path):
            do throws(FolderError) {
                return try FolderCatalog(path: path, options: folderOptions, index: index, warn: warn)
            } catch {
                throw SourceError(source: path, reason: error.reason)
            }
        case .list(let path):
            do throws(ListProblem) {
                return try Self.list(path, limits: listLimits, firstLook: firstLook, warn: warn, progress: progress)
            } catch {
                throw SourceError(source: path, reason: error.description)
            }
        case .standardInput:
            do throws(ListProblem) {
                return try GrowingList(
                    reading: 0, as: .ndjson, title: "Standard input", name: "-", limits: listLimits,
                    firstLook: firstLook,
                    warn: warn)
            } catch {
                throw SourceError(source: "-", reason: error.description)
            }
        }
    }

    private static func list(
        _ path: String, limits: ListLimits, firstLook: Int, warn: @escaping @Sendable (String) -> Void,
        progress: (_ items: Int, _ bytes: Int) -> Void
    ) throws(ListProblem) -> any CatalogSource {
        guard let format = ListFormat(path: path), format != .json else {
            // It may say at its end what it is called.
            let list = try PictureList(contentsOf: path, limits: limits, progress: progress)
            for problem in list.problems { warn("\(path): \(problem); left out.") }
            let more = list.problemCount - list.problems.count
            if more > 0 { warn("\(path): \(more) more entries are left out.") }
            return list
        }
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ListProblem(reason: String(cString: strerror(errno))) }
        return try GrowingList(
            reading: file, as: format, title: PictureList.title(ofFile: path), name: path, limits: limits,
            firstLook: firstLook,
            warn: warn)
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
