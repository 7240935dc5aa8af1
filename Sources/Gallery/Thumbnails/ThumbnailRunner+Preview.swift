import Pipeline
import TaskPool

extension ThumbnailRunner {
    /// Shows the preview in a picture's file, where it has one, and goes on to the picture. What is wrong with the file, the next
    /// stage finds out.
    func readHead(_ key: ThumbnailKey, _ picture: TaskPicture) async -> StageOutcome<ThumbnailWork> {
        let goesOn = StageOutcome<ThumbnailWork>.advance(to: .fetch, carrying: .absent(picture))
        guard let previews, case .file(let path, let root) = picture.item.locator else { return goesOn }
        let item = KnownItems.Item(content: key.content, index: key.item)
        if let known = previews.memory[item] { return .preview(.preview(known), goesOn) }
        let began = transfers.now
        let preview = await previews.preview(in: path, of: root)
        guard let preview else { return Task.isCancelled ? .cancelled : goesOn }
        transfers.previewed(in: transfers.now - began, for: key)
        previews.memory.keep(preview, of: item)
        galleries.content(serial: key.content)?.learn(
            key.item, of: picture.item, width: preview.sourceWidth, height: preview.sourceHeight)
        return .preview(.preview(preview), goesOn)
    }
}
