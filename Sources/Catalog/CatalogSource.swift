import Glibc

/// What a person names to be shown: a folder, a list, or a list on standard input.
public enum CatalogSource: Sendable, Equatable {
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

    /// Opens the catalogue. A folder goes on being read in the background; a list is read to its end.
    ///
    /// - Parameters:
    ///   - warn: told, in a sentence for the operator, what could not be done as it should: changes that will not
    ///     be noticed, entries that were left out.
    ///   - progress: told, while a list is read, the number of items and of bytes so far.
    public func open(
        folderOptions: FolderOptions = FolderOptions(), listLimits: ListLimits = ListLimits(),
        warn: @escaping @Sendable (String) -> Void = { _ in },
        progress: (_ items: Int, _ bytes: Int) -> Void = { _, _ in }
    ) throws(SourceError) -> any Catalog {
        switch self {
        case .folder(let path):
            do throws(FolderError) {
                return try FolderCatalog(path: path, options: folderOptions, warn: warn)
            } catch {
                throw SourceError(source: path, reason: error.reason)
            }
        case .list(let path):
            do throws(ListProblem) {
                return Self.told(try ListCatalog(contentsOf: path, limits: listLimits, progress: progress), path, warn)
            } catch {
                throw SourceError(source: path, reason: error.description)
            }
        case .standardInput:
            do throws(ListProblem) {
                let catalog = try ListCatalog(
                    reading: 0, as: .ndjson, title: "Standard input", limits: listLimits, progress: progress)
                return Self.told(catalog, "-", warn)
            } catch {
                throw SourceError(source: "-", reason: error.description)
            }
        }
    }

    private static func told(_ catalog: ListCatalog, _ source: String, _ warn: (String) -> Void) -> ListCatalog {
        for problem in catalog.problems { warn("\(source): \(problem); left out.") }
        let more = catalog.problemCount - catalog.problems.count
        if more > 0 { warn("\(source): \(more) more entries were left out.") }
        return catalog
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
