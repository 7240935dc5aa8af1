import Catalog
import Gallery
import JSON
import Media
import MicroHTTP
import Store
import Thumbnails

extension API {
    func items(_ request: Request) -> Reply {
        let named: NamedItem
        let count: Int
        do throws(Problem) {
            named = NamedItem(
                content: try gallery(request).content,
                number: try IntegerParameter.from.value(request),
                id: try Self.query("id", of: request, as: ItemID.self))
            count = try IntegerParameter.itemCount.value(request)
        } catch {
            return .now(Self.response(error))
        }
        return .later { [self, count] in
            do throws(Problem) {
                let content = named.content
                let from = named.id == nil ? min(named.number, content.itemCount) : try await found(named).index
                let range = from..<min(from + count, content.itemCount)
                // Reads the attributes of every file of a folder, and the store.
                return await respondLater(in: content.root) { items(range, of: content) }
            } catch {
                return Self.response(error)
            }
        }
    }

    private func items(_ range: Range<Int>, of content: GalleryContent) -> Response {
        let states = states(of: range, in: content)
        let identities = thumbnails.identities(of: range, in: content)
        let stored = thumbnails.storedPlaceholders(
            identities.filter { thumbnails.outcome(of: $0.key, in: content) == nil })
        var writer = JSONWriter(capacity: 128 * range.count)
        writer.object {
            $0.member("from", range.lowerBound)
            $0.member("items") {
                $0.array {
                    for index in range {
                        guard let item = content.item(index), let section = content.section(of: index) else { continue }
                        $0.object {
                            $0.member("item", index)
                            write(index, of: content, identity: identities[index], to: &$0)
                            if content.isArranged { $0.member("original", content.original(index)) }
                            $0.member("title", item.title)
                            if let file = item.fileName { $0.member("file", file) }
                            $0.member("section", section)
                            if let taken = content.catalog.taken(index),
                                let date = DateTaken(wallSeconds: taken, millisecond: 0, offset: nil)
                            {
                                $0.member("taken") { $0.object { $0.member("time", date.text) } }
                            }
                            if let duration = content.catalog.duration(index) { $0.member("duration", duration) }
                            if let motion = content.catalog.motion(index) { $0.member("kind", motion.kind) }
                            if let size = content.size(of: index) {
                                $0.member("width", size.width)
                                $0.member("height", size.height)
                            }
                            if let bytes = content.catalog.bytes(index) { $0.member("bytes", Int(clamping: bytes)) }
                            var placeholder = stored[index]
                            if case .ready(let made) = thumbnails.outcome(of: index, in: content) { placeholder = made }
                            if let placeholder {
                                $0.member("thumbHash", Base64.string(placeholder.thumbHash))
                                if placeholder.isDamaged { $0.member("damaged", true) }
                            }
                            if let color = item.color { $0.member("color", PictureColor.text(color)) }
                            $0.member("state", states[index - range.lowerBound].rawValue)
                        }
                    }
                }
            }
        }
        return Self.json(writer.bytes)
    }

    /// Writes `"id","version"?`.
    ///
    /// - Parameter identity: current identity of the item's file.
    func write(_ index: Int, of content: GalleryContent, identity: String?, to writer: inout JSONWriter) {
        if let id = content.catalog.id(index) { writer.member("id", id.description) }
        if let version = thumbnails.version(of: index, identity: identity, in: content) {
            writer.member("version", version.description)
        }
    }

    /// The state of an item's picture: not requested, waiting, in progress, ready, or failed.
    enum ItemState: String, CaseIterable { case absent, queued, loading, ready, failed }

    private func states(of range: Range<Int>, in content: GalleryContent) -> [ItemState] {
        var states = range.map { item -> ItemState in
            switch thumbnails.outcome(of: item, in: content) {
            case nil: .absent
            case .ready: .ready
            case .failed: .failed
            }
        }
        for session in sessions.all where session.content === content {
            for (item, isLoading) in session.pending(in: range) {
                states[item - range.lowerBound] = isLoading ? .loading : .queued
            }
        }
        return states
    }

    /// Responds with one item's thumbnail once it is ready. The request has the urgency of a visible cell.
    ///
    /// - Parameter isNamed: whether the response contains the file name, under which a browser saves the image.
    func picture(_ request: Request, _ widths: IntegerParameter, isNamed: Bool) -> Reply {
        let width: Int
        let version: ContentVersion?
        do throws(Problem) {
            width = try widths.value(request)
            version = try Self.query("v", of: request, as: ContentVersion.self)
        } catch {
            return .now(Self.response(error))
        }
        return respond(request) { (named, index, item) async throws(Problem) in
            // Keep the content alive, because the key refers to its items. The gallery may change or be deleted during the wait.
            defer { withExtendedLifetime(named.content) {} }
            let key = named.content.thumbnailKey(index, size: ThumbnailSize(width: width, height: 0))
            do throws(ItemFailure) {
                let thumbnail = try await thumbnails.thumbnail(key, host: thumbnails.host(of: item.locator))
                var isLasting = false
                if named.id != nil, let version, version == thumbnail.content {
                    isLasting = await isCurrent(version, of: item)
                }
                let name = isNamed ? Self.fileName(of: thumbnail, item) : nil
                return Self.picture(thumbnail, name: name, isLasting: isLasting, for: request)
            } catch {
                throw Problem(error)
            }
        }
    }

    /// Whether a file still has the version that its thumbnail was made from. The file may have changed between reading its attributes and
    /// reading its data.
    private func isCurrent(_ version: ContentVersion, of item: Item) async -> Bool {
        guard case .file(_, let root) = item.locator else { return true }
        let look = { @Sendable in StoreKey.identity(of: item.locator) }
        guard let identity = try? await thumbnails.queries.threads(for: root).run(look) else { return false }
        return ContentVersion(identity: identity) == version
    }

    /// Returns the name of an item's file with the extension of the rendered format, such as `photo.jpg` for `photo.heic`.
    private static func fileName(of thumbnail: Thumbnail, _ item: Item) -> String {
        let isWebP = thumbnail.mediaType == PictureKind.webp.mediaType
        let stem = item.fileName.map { PictureName.stem(ofFile: $0) } ?? item.title
        return fileName(stem, kind: isWebP ? .webp : .jpeg)
    }

    /// - Parameters:
    ///   - name: name under which a browser saves the file, or `nil` for none.
    ///   - isLasting: whether the address always refers to these bytes.
    private static func picture(
        _ thumbnail: Thumbnail, name: String?, isLasting: Bool, for request: Request
    ) -> Response {
        let lifetime = isLasting ? "private, max-age=31536000, immutable" : "private, no-cache"
        return ConditionalDocument.response(
            to: request, tag: EntityTag.of(thumbnail.bytes), headers: [("Cache-Control", lifetime)]
        ) { headers in
            let name = name.map { [disposition("inline", name: $0)] } ?? []
            return Response(
                headers: headers + [("Content-Type", thumbnail.mediaType)] + name, body: thumbnail.bytes)
        }
    }
}

extension API {
    /// Returns the ThumbHashes of a range of items, ``ThumbHashColumn/stride`` bytes each.
    func placeholders(_ request: Request) -> Reply {
        let gallery: PictureGallery
        let content: GalleryContent
        let range: Range<Int>
        do throws(Problem) {
            gallery = try self.gallery(request)
            content = gallery.content
            let from = try IntegerParameter.from.value(request)
            let count = try IntegerParameter.placeholderCount.value(request)
            range = min(from, content.itemCount)..<min(from + count, content.itemCount)
        } catch {
            return .now(Self.response(error))
        }
        return later(in: content.root) { [thumbnails, placeholders] in
            placeholders.prefer(range, in: content, of: gallery)
            return Response(
                status: 200,
                headers: [("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store")],
                body: thumbnails.thumbHashes(of: range, in: content))
        }
    }
}
