extension RAWPicture {
    /// A RAW container's previews.
    struct Contents {
        /// Where JPEGs are said to be.
        var previews: [Range<Int>] = []
        var orientation: Orientation?
        /// Pixels of the picture where the container, not the largest preview, tells them.
        var size: (width: Int, height: Int)?
        /// Whether something lies beyond the end.
        var endsEarly = false
    }

    /// How a RAW file is made, told by its first bytes.
    enum Container {
        /// TIFF, or with another number in 42's place: Canon CR2, Nikon NEF, Sony ARW, DNG, Olympus ORF, Panasonic RW2.
        case tiff(isPlain: Bool)
        /// Fujifilm RAF.
        case raf
        /// Canon CR3.
        case cr3

        init?(_ beginning: [UInt8]) {
            let orders = [Array("IIRO".utf8), Array("IIRS".utf8), Array("MMOR".utf8), [0x49, 0x49, 0x55, 0]]
            if TIFFDirectory.isTIFF(beginning) {
                self = .tiff(isPlain: true)
            } else if orders.contains(where: { beginning.starts(with: $0) }) {
                self = .tiff(isPlain: false)
            } else if beginning.starts(with: "FUJIFILMCCD-RAW".utf8) {
                self = .raf
            } else if beginning.dropFirst(4).starts(with: "ftypcrx ".utf8) {
                self = .cr3
            } else {
                return nil
            }
        }

        func isRAW(_ file: FilePieces) -> Bool {
            guard case .tiff(isPlain: true) = self else { return true }
            let beginning = file.bytes(at: 0, 10)
            if !TIFFDirectory.isBig(beginning), beginning.dropFirst(8).elementsEqual("CR".utf8) { return true }
            let directories = TIFFDirectory.all(file)
            return directories.first?[.dngVersion] != nil || directories.contains(where: \.isSensorData)
        }

        func contents(_ file: FilePieces) -> Contents {
            var contents: Contents
            switch self {
            case .tiff: contents = tiff(file)
            case .raf: contents = raf(file)
            case .cr3: contents = CR3Reader(file).contents
            }
            if contents.previews.contains(where: { $0.upperBound > file.count }) { contents.endsEarly = true }
            return contents
        }

        private func tiff(_ file: FilePieces) -> Contents {
            let directories = TIFFDirectory.all(file)
            var contents = Contents()
            contents.orientation = directories.first?.orientation
            if let size = directories.first?.numbers(.defaultCropSize, most: 2), size.count == 2,
                size.allSatisfy({ 1...100_000 ~= $0 })
            {
                contents.size = (size[0], size[1])
            }
            for directory in directories {
                contents.previews += directory.previews
                if let note = directory.olympusPreview(file) { contents.previews.append(note) }
            }
            return contents
        }

        /// The offset and the length of a JPEG, whose EXIF has the orientation.
        private func raf(_ file: FilePieces) -> Contents {
            var reader = ByteReader(file.bytes(at: 84, 8))
            guard let offset = reader.number(4, bigEndian: true), let length = reader.number(4, bigEndian: true) else {
                return Contents(endsEarly: true)
            }
            return Contents(previews: [offset..<offset + length])
        }
    }
}

extension TIFFDirectory {
    /// Where it says that JPEGs lie.
    fileprivate var previews: [Range<Int>] {
        var found: [Range<Int>] = []
        if let offset = number(.jpegOffset), let length = number(.jpegLength), offset > 0, length > 0 {
            found.append(offset..<offset + length)
        }
        if let compression = number(.compression), compression == 6 || compression == 7, !isSensorData,
            self[.stripOffsets]?.count == 1, let offset = number(.stripOffsets), let length = number(.stripByteCounts),
            offset > 0, length > 0
        {
            found.append(offset..<offset + length)
        }
        if let entry = self[.panasonicPreview], entry.count > RAWPicture.minPreviewBytes {
            found.append(entry.offset..<entry.offset + entry.count)
        }
        return found
    }

    /// The preview in the maker's note of an Olympus camera, where offsets count from the note's beginning.
    fileprivate func olympusPreview(_ file: FilePieces) -> Range<Int>? {
        guard let exif = number(.exif),
            let directory = TIFFDirectory(file, at: exif, bigEndian: isBigEndian, isBig: isBig),
            let note = directory[.makerNote]
        else { return nil }
        let head = file.bytes(at: note.offset, 16)
        let start = head.starts(with: "OLYMPUS\0".utf8) ? 12 : head.starts(with: "OM SYSTEM\0\0\0".utf8) ? 16 : 0
        guard start > 0,
            let first = TIFFDirectory(file, at: start, bigEndian: isBigEndian, base: note.offset),
            let entry = first[.olympusSettings],
            // The directory itself, or where it lies.
            let place = entry.type == 7 ? entry.offset - note.offset : first.number(.olympusSettings),
            let settings = TIFFDirectory(file, at: place, bigEndian: isBigEndian, base: note.offset),
            // The numbers of TIFF's height and depth mean a preview's place here.
            let offset = settings.number(.height), let length = settings.number(.bitsPerSample), offset > 0, length > 0
        else { return nil }
        return note.offset + offset..<note.offset + offset + length
    }
}
