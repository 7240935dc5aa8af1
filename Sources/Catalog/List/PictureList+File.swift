import Glibc

extension PictureList {
    /// Reads a list from a file, its format told by the file's extension.
    ///
    /// Entries that cannot be taken are left out and told in ``problems``.
    ///
    /// - Parameters:
    ///   - path: of a `.txt`, `.csv`, `.json` or `.ndjson` file.
    ///   - progress: called after each 256 kB with the number of items and of bytes so far.
    /// - Throws: ``ListProblem`` when the file cannot be read, is no list, or holds no usable entry.
    public init(
        contentsOf path: String, limits: ListLimits = ListLimits(),
        progress: (_ items: Int, _ bytes: Int) -> Void = { _, _ in }
    ) throws(ListProblem) {
        guard let format = ListFormat(path: path) else {
            let known = ListFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
            throw ListProblem(reason: "the name of a list ends with \(known)")
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ListProblem(reason: String(cString: strerror(errno))) }
        defer { close(file) }
        self = try Self.read(
            file, as: format, title: Self.title(ofFile: path), limits: limits, progress: progress)
    }

    /// The name that a list gets from its file.
    static func title(ofFile path: String) -> String {
        let slash = path.lastIndex(of: "/")
        return PictureName.title(ofFile: String(slash.map { path[path.index(after: $0)...] } ?? path[...]))
    }

    /// Reads a list from an open file, a pipe or a socket, to its end.
    public init(
        reading file: Int32, as format: ListFormat, title: String, limits: ListLimits = ListLimits(),
        progress: (_ items: Int, _ bytes: Int) -> Void = { _, _ in }
    ) throws(ListProblem) {
        self = try Self.read(file, as: format, title: title, limits: limits, progress: progress)
    }

    private static func read(
        _ file: Int32, as format: ListFormat, title: String, limits: ListLimits,
        progress: (_ items: Int, _ bytes: Int) -> Void
    ) throws(ListProblem) -> PictureList {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
        defer { buffer.deallocate() }
        var reader = ListReader(format: format, limits: limits)
        var bytes = 0
        while true {
            let count = Glibc.read(file, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ListProblem(reason: String(cString: strerror(errno))) }
            if count == 0 { break }
            try reader.feed(UnsafeBufferPointer(rebasing: buffer.bindMemory(to: UInt8.self)[..<count]))
            bytes += count
            progress(reader.count, bytes)
        }
        return try reader.finish(title: title)
    }
}
