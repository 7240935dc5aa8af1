import Catalog
import JSON
import Media

extension PictureGallery {
    /// Number of items whose facts are known.
    ///
    /// A folder that is still being read counts facts read since its listing. An arrangement counts the facts known when the
    /// arrangement was built.
    package var factsKnown: Int {
        let content = content
        return min(source?.factsKnown ?? content.catalog.factsKnown, content.itemCount)
    }

    /// The Gallery document with the current number of known facts.
    package var currentDocument: [UInt8] {
        // The expensive part is encoded once per content. Only the index is written again.
        var bytes = document
        guard bytes.popLast() == UInt8(ascii: "}") else { return document }
        var writer = JSONWriter()
        writer.object { writeIndex(to: &$0) }
        return bytes + [UInt8(ascii: ",")] + writer.bytes.dropFirst()
    }

    /// `"index":{"known","of"}`
    package func writeIndex(to writer: inout JSONWriter) {
        writer.member("index") {
            $0.object {
                $0.member("known", factsKnown)
                $0.member("of", content.itemCount)
            }
        }
    }

    /// `{"id","title","itemCount","source","revision","arrangementLimit"?,"defaultArrangement"?,"of"?,"arrangement"?,"notShown"?,"leftOut"?,"taken"?,"sections"}`
    func written(_ content: GalleryContent) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writeMembers(of: content, to: &$0) }
        return writer.bytes
    }

    package func writeMembers(of content: GalleryContent, to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("title", title)
        writer.member("itemCount", content.itemCount)
        writer.member("source", content.catalog.kind.rawValue)
        writer.member("revision", content.catalog.revision)
        if content.itemCount > ArrangementSource.maxItems {
            writer.member("arrangementLimit", ArrangementSource.maxItems)
        }
        writeArrangement(of: content, to: &writer)
        let notShown = content.catalog.notShown
        if !notShown.isEmpty {
            writer.member("notShown") {
                $0.array {
                    for kind in notShown {
                        $0.object {
                            $0.member("kind", kind.kind)
                            $0.member("count", kind.count)
                        }
                    }
                }
            }
        }
        let leftOut = content.catalog.leftOut
        if !leftOut.isEmpty {
            writer.member("leftOut") {
                $0.array {
                    for part in leftOut {
                        $0.object {
                            $0.member("reason", part.reason.rawValue)
                            if let pattern = part.pattern { $0.member("pattern", pattern) }
                            $0.member("count", part.count)
                            $0.member("names") { $0.array { for name in part.names { $0.value(name) } } }
                        }
                    }
                }
            }
        }
        if let taken = content.catalog.takenRange,
            let first = DateTaken(wallSeconds: taken.lowerBound, millisecond: 0, offset: nil),
            let last = DateTaken(wallSeconds: taken.upperBound, millisecond: 0, offset: nil)
        {
            writer.member("taken") {
                $0.object {
                    $0.member("from", first.text)
                    $0.member("to", last.text)
                }
            }
        }
        writer.member("sections") {
            $0.array {
                for section in content.sections {
                    $0.object {
                        $0.member("title", section.title)
                        $0.member("from", section.from)
                        $0.member("count", section.count)
                    }
                }
            }
        }
    }
}

extension PictureGallery {
    /// Writes `"of"` and `"arrangement"` for an arrangement, and `"defaultArrangement"` if the content has a default arrangement.
    func writeArrangement(of content: GalleryContent, to writer: inout JSONWriter) {
        if let usual = content.defaultArrangement { writer.member("defaultArrangement") { usual.write(to: &$0) } }
        guard let base, let arranged = content.catalog.items as? ArrangedItems else { return }
        writer.member("of", base.id)
        writer.member("arrangement") { arranged.arrangement.write(to: &$0) }
    }
}
