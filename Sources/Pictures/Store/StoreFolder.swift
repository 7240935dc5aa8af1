import Foundation
import Glibc

/// The folder of a store, and its file.
struct StoreFolder: Sendable {
    let configuration: StoreConfiguration
    private let file: DatabaseFile

    init?(_ configuration: StoreConfiguration) {
        guard let directory = configuration.directory else { return nil }
        self.configuration = configuration
        file = DatabaseFile(
            path: directory.hasSuffix("/") ? directory + "thumbnails.sqlite" : directory + "/thumbnails.sqlite",
            applicationID: ThumbnailFile.applicationID, version: ThumbnailFile.version,
            contents: "a store of thumbnails")
    }

    var path: String { file.path }

    /// Opens the file, and sets aside one that cannot be trusted.
    ///
    /// - Parameter damaged: a file that was opened before and turned out to be damaged; not to be opened again.
    func open(instead damaged: ThumbnailFile? = nil, warn: (StoreWarning) -> Void) throws -> ThumbnailFile {
        try file.open {
            if let damaged, damaged.inode == ThumbnailFile.inode(path) {
                throw DatabaseFile.Fault.notOurs("is damaged")
            }
            return try ThumbnailFile(path: path, configuration: configuration)
        } setAside: { name, reason in
            warn(.setAside(path: path, as: name, reason: reason))
        }
    }
}
