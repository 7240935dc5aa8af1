import Fetch
import Media
import Store

/// The services that the stages of a thumbnail share.
struct MakerServices: Sendable {
    let items: any ThumbnailItems
    let store: ThumbnailStore
    let settings: PictureMemorySettings
    /// Longer side of the smaller tier, in pixels. 0 for no smaller tier.
    let smallSide: Int
    let transfers: TransferMeter
    let failures: PictureFailures
    /// The pictures that were downloaded and not rendered yet.
    let unrendered: UnrenderedPictures
    let downloads: PictureDownloads
    let renderer: Renderer
    /// Reader of the previews in large files, or `nil` if previews are off.
    let previews: PreviewReader?
    /// The thumbnails shared with other nodes, or `nil` if there are no other nodes.
    let sharing: Sharing?
    /// The work of other nodes, or `nil` if there are no other nodes.
    let nodes: OtherNodes?
    /// Threads that read file status. This is quick, unless a folder does not respond.
    let statThreads: FolderThreads
    /// Threads that read files.
    let files: FolderThreads

    func isStale(_ thumbnail: Thumbnail) -> Bool {
        thumbnail.version?.isStale(at: UnixTime.now, standard: settings.revalidateAfter) ?? false
    }

    /// Returns the bytes of a picture that was downloaded before but not rendered.
    func unrenderedBytes(of picture: TaskPicture) -> PictureBytes? { picture.storeKey.flatMap(unrendered.picture) }

    func learn(_ width: Int, _ height: Int, of picture: TaskPicture, _ key: ThumbnailKey) {
        items.learn(key, of: picture.item, width: width, height: height)
    }
}
