extension RAWPicture {
    /// The previews that a RAW container claims to have.
    struct Contents {
        /// Positions of the previews, which are JPEGs. Not checked.
        var previews: [Range<Int>] = []
        var orientation: Orientation?
        /// Size in pixels if the container states it. If `nil`, the largest preview's size counts.
        var size: (width: Int, height: Int)?
        /// Whether a preview is beyond the end of the bytes.
        var endsEarly = false
    }

    /// Structure of a RAW file, detected by its first bytes.
    enum Container {
        /// TIFF, possibly with another number in the place of 42: Canon CR2, Nikon NEF, Sony ARW, DNG, Olympus ORF, Panasonic RW2.
        case tiff(isPlain: Bool)
        /// Fujifilm RAF.
        case raf
        /// Canon CR3.
        case cr3

        init?(_ beginning: [UInt8]) {
            let orders = [Array("IIRO".utf8), Array("IIRS".utf8), Array("MMOR".utf8), [0x49, 0x49, 0x55, 0]]
            if TIFFStructure.isTIFF(beginning) {
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
            if !TIFFStructure.isBig(beginning), beginning.dropFirst(8).elementsEqual("CR".utf8) { return true }
            let directories = TIFFStructure(file)?.directories ?? []
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
            let directories = TIFFStructure(file, isRAW: true)?.directories ?? []
            var contents = Contents()
            contents.orientation = directories.first?.orientation
            if let size = directories.first?.numbers(.defaultCropSize, maximum: 2), size.count == 2,
                size.allSatisfy({ 1...100_000 ~= $0 })
            {
                contents.size = (size[0], size[1])
            }
            for directory in directories {
                contents.previews += directory.previews
                if let note = directory.olympusPreview { contents.previews.append(note) }
            }
            return contents
        }

        /// Reads the offset and the length of a JPEG. The JPEG's EXIF contains the orientation.
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
    /// Whether the directory contains unprocessed sensor data (TIFF/EP, DNG).
    fileprivate var isSensorData: Bool {
        // Photometric values: a colour filter array, linear raw. Compressions: Nikon's and Sony's own packing.
        [32803, 34892].contains(number(.photometric)) || [34713, 32767].contains(number(.compression))
    }

    fileprivate var previews: [Range<Int>] {
        var found: [Range<Int>] = []
        if let offset = number(.previewOffset), let length = number(.previewLength), offset > 0, length > 0 {
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

    /// The preview in the maker note of an Olympus camera. Offsets count from the start of the note.
    fileprivate var olympusPreview: Range<Int>? {
        guard let note = directory(.exif)?[.makerNote] else { return nil }
        let head = structure.file.bytes(at: note.offset, 16)
        let start = head.starts(with: "OLYMPUS\0".utf8) ? 12 : head.starts(with: "OM SYSTEM\0\0\0".utf8) ? 16 : 0
        guard start > 0 else { return nil }
        let tiff = TIFFStructure(note: structure.file, base: note.offset, isBigEndian: structure.isBigEndian)
        let first = tiff.directory(at: start)
        // The entry is the directory itself, or contains the directory's offset.
        guard let entry = first[.olympusSettings],
            let place = entry.type == 7 ? entry.offset - note.offset : first.number(.olympusSettings)
        else { return nil }
        let settings = tiff.directory(at: place)
        // Here the tags of TIFF's height and depth contain the preview's offset and length.
        guard let offset = settings.number(.height), let length = settings.number(.bitsPerSample), offset > 0,
            length > 0
        else { return nil }
        return note.offset + offset..<note.offset + offset + length
    }
}
