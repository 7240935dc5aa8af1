/// A pattern of one name: `*`, `?`, `[…]`, and `\` before a character that stands for itself.
struct NamePattern: Sendable, Equatable {
    private enum Element: Sendable, Equatable {
        case scalar(Unicode.Scalar), any, star, set(ScalarSet)

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .scalar(let own): own == scalar
            case .any, .star: true
            case .set(let set): set.contains(scalar)
            }
        }
    }

    private var elements: [Element] = []

    /// - Parameter whole: the pattern that it is a part of, for errors.
    init(_ text: ArraySlice<Unicode.Scalar>, of whole: String) throws(ExcludePatterns.Problem) {
        var rest = text
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": elements.append(.star)
            case "?": elements.append(.any)
            case "[": elements.append(.set(try ScalarSet(&rest, of: whole)))
            default: elements.append(.scalar(try Self.literal(scalar, &rest, of: whole)))
            }
        }
    }

    func matches(_ name: [Unicode.Scalar]) -> Bool {
        Wildcards.match(elements, name[...], isStar: { $0 == .star }) { $0.matches($1) }
    }

    /// Returns the scalar itself, or the next one if it is a backslash.
    fileprivate static func literal(
        _ scalar: Unicode.Scalar, _ rest: inout ArraySlice<Unicode.Scalar>, of whole: String
    ) throws(ExcludePatterns.Problem) -> Unicode.Scalar {
        guard scalar == "\\" else { return scalar }
        guard let next = rest.popFirst() else {
            throw ExcludePatterns.Problem(
                "a name in \"\(whole)\" ends with a backslash: write \\\\ for the character itself, or remove it")
        }
        return next
    }
}

/// A set of characters, as it stands in brackets: `[abc]`, `[a-z]`, `[!0-9]`, `[[:digit:]]`.
struct ScalarSet: Sendable, Equatable {
    private var isNegated = false
    private var ranges: [ClosedRange<UInt32>] = []

    /// - Parameter rest: begins after the opening bracket; left after the closing one.
    init(_ rest: inout ArraySlice<Unicode.Scalar>, of whole: String) throws(ExcludePatterns.Problem) {
        if rest.first == "!" || rest.first == "^" {
            isNegated = true
            rest.removeFirst()
        }
        var isFirst = true
        while let scalar = rest.popFirst() {
            // A bracket that closes right away stands for itself.
            if scalar == "]", !isFirst { return }
            isFirst = false
            if scalar == "[", let name = Self.className(&rest) {
                guard let some = Self.classes[name] else {
                    let known = Self.classes.keys.sorted().joined(separator: ", ")
                    throw ExcludePatterns.Problem("[:\(name):] in \"\(whole)\" is not a class: use one of \(known)")
                }
                ranges += some
                continue
            }
            let low = try NamePattern.literal(scalar, &rest, of: whole).value
            var high = low
            if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                rest.removeFirst(2)
                high = try NamePattern.literal(end, &rest, of: whole).value
            }
            if low <= high { ranges.append(low...high) }
        }
        throw ExcludePatterns.Problem(
            "a bracket in \"\(whole)\" is not closed: add ] after it, or write \\[ for the character itself")
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } != isNegated }

    /// Takes `:alpha:]`, if the rest begins so.
    private static func className(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
        guard rest.first == ":", let close = rest.firstIndex(of: "]"), close > rest.startIndex + 1,
            rest[close - 1] == ":"
        else { return nil }
        defer { rest = rest[(close + 1)...] }
        return String(String.UnicodeScalarView(rest[(rest.startIndex + 1)..<(close - 1)]))
    }

    private static let classes: [String: [ClosedRange<UInt32>]] = [
        "alnum": [48...57, 65...90, 97...122], "alpha": [65...90, 97...122], "blank": [9...9, 32...32],
        "cntrl": [0...31, 127...127], "digit": [48...57], "graph": [33...126], "lower": [97...122],
        "print": [32...126], "punct": [33...47, 58...64, 91...96, 123...126], "space": [9...13, 32...32],
        "upper": [65...90], "xdigit": [48...57, 65...70, 97...102],
    ]
}
