/// A pattern for one name, with `*`, `?` and `[…]`. A `\` makes the next character literal.
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

    /// - Parameter whole: the complete pattern, for error messages.
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

    /// Returns the scalar itself. If the scalar is a backslash, returns the next one.
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

/// A set of characters in brackets: `[abc]`, `[a-z]`, `[!0-9]`.
struct ScalarSet: Sendable, Equatable {
    private var isNegated = false
    private var ranges: [ClosedRange<UInt32>] = []

    /// - Parameter rest: starts after the opening bracket. The initializer removes everything up to and including the closing bracket.
    init(_ rest: inout ArraySlice<Unicode.Scalar>, of whole: String) throws(ExcludePatterns.Problem) {
        if rest.first == "!" || rest.first == "^" {
            isNegated = true
            rest.removeFirst()
        }
        var isFirst = true
        while let scalar = rest.popFirst() {
            // A closing bracket right after the opening one is literal.
            if scalar == "]", !isFirst { return }
            isFirst = false
            if scalar == "[", rest.first == ":" {
                throw ExcludePatterns.Problem("\"\(whole)\" names a class such as [:alpha:]: write [a-zA-Z] instead")
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
}
