/// Patterns of files and folders that a gallery leaves out, with gitignore's syntax. The last pattern that matches decides.
///
/// The cost of a match is at most the product of the lengths of path and pattern, for any content.
public struct ExcludePatterns: Sendable, Equatable {
    /// The reason why a pattern cannot be used, and the fix.
    public struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }
    }

    /// The parts of a path, split at its slashes.
    package typealias Path = [[Unicode.Scalar]]

    private static let maximumCount = 1_000
    private static let maximumBytes = 1_024

    private var patterns: [Pattern] = []

    public init() {}

    /// - Parameter texts: the lines of a `.gitignore` file. Blank lines and comments are ignored.
    public init(_ texts: [String]) throws(Problem) {
        guard texts.count <= Self.maximumCount else {
            throw Problem("\(texts.count) patterns are too many: give at most 1,000")
        }
        for text in texts {
            guard text.utf8.count <= Self.maximumBytes else {
                throw Problem("the pattern \"\(text.prefix(32))…\" is too long: give at most 1,024 bytes")
            }
            guard !text.utf8.contains(0) else {
                throw Problem("the pattern \"\(text)\" holds a NUL, which no name has: remove it")
            }
            if let pattern = try Pattern(text) { patterns.append(pattern) }
        }
    }

    package var isEmpty: Bool { patterns.isEmpty }

    /// Splits the path of a folder. An empty path, which is the gallery's folder itself, has no parts.
    package static func parts(of path: String) -> Path { path.unicodeScalars.split(separator: "/").map { Array($0) } }

    /// Returns the pattern that excludes a file or folder, or `nil` if none does. Does not check the folders above it.
    ///
    /// - Parameter folder: the folder of the file, relative to the gallery's folder.
    package func pattern(excluding name: String, in folder: Path, isFolder: Bool) -> String? {
        guard !isEmpty else { return nil }
        let path = folder + [Array(name.unicodeScalars)]
        let last = patterns.last { (isFolder || !$0.isForFolders) && $0.matches(path) }
        return last.flatMap { $0.isNegated ? nil : $0.text }
    }

    private struct Pattern: Sendable, Equatable {
        let text: String
        /// Whether the pattern includes files again that an earlier pattern excluded.
        let isNegated: Bool
        let isForFolders: Bool
        /// Whether the pattern is compared with the whole path. Otherwise it is compared with the last part.
        let isAnchored: Bool
        /// Parts of the pattern. `nil` is `**`, which matches any number of folders.
        private var parts: [NamePattern?] = []

        /// - Returns: `nil` for a blank line or a comment.
        init?(_ text: String) throws(Problem) {
            self.text = text
            var rest = Self.withoutSpacesAtEnd(Array(text.unicodeScalars))
            if rest.first == "#" { return nil }
            isNegated = rest.first == "!"
            if isNegated { rest.removeFirst() }
            isForFolders = rest.last == "/"
            if isForFolders { rest.removeLast() }
            isAnchored = rest.contains("/")
            if rest.first == "/" { rest.removeFirst() }
            if rest.isEmpty { return nil }
            for part in rest.split(separator: "/", omittingEmptySubsequences: false) {
                let isFolders = isAnchored && part.elementsEqual(["*", "*"])
                try parts.append(isFolders ? nil : NamePattern(part, of: text))
            }
            // A trailing `**` matches everything in a folder, but not the folder itself.
            if let last = parts.last, last == nil { try parts.append(NamePattern(["*"], of: text)) }
        }

        func matches(_ path: Path) -> Bool {
            let path = isAnchored ? path[...] : path.suffix(1)
            return Wildcards.match(parts, path, isStar: { $0 == nil }) { $0?.matches($1) ?? false }
        }

        /// Removes spaces at the end that have no backslash before them.
        private static func withoutSpacesAtEnd(_ text: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
            var (place, end) = (0, 0)
            while place < text.count {
                let length = text[place] == "\\" ? 2 : 1
                if text[place] != " " { end = min(place + length, text.count) }
                place += length
            }
            return text[..<end]
        }
    }
}

/// Compares a pattern with values one by one. Some elements of the pattern are stars, which match any number of values.
enum Wildcards {
    /// Returns whether the pattern matches. After a mismatch only the last star takes one more value, so the work is at most the product of
    /// the counts.
    static func match<Element, Value>(
        _ pattern: [Element], _ values: ArraySlice<Value>, isStar: (Element) -> Bool,
        matches: (Element, Value) -> Bool
    ) -> Bool {
        var (place, next) = (0, values.startIndex)
        var retry: (place: Int, next: Int)?
        while next < values.endIndex {
            if place < pattern.count, isStar(pattern[place]) {
                place += 1
                retry = (place, next)
            } else if place < pattern.count, matches(pattern[place], values[next]) {
                place += 1
                next += 1
            } else if let last = retry {
                (place, next) = (last.place, last.next + 1)
                retry = (place, next)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy(isStar)
    }
}
