/// The imports of the page's modules: a browser is told all of them at once instead of finding one by the other.
struct PageModules: Sendable {
    /// Each module's imports, in its order; all by their paths in the folder of the page.
    private let imports: [String: [String]]

    /// Reads the modules that `page` marks, that of the element, and all that they import.
    ///
    /// - Parameter source: the text of a module by its path; `nil` where there is none.
    init(of page: String, source: (String) -> String?) {
        var imports: [String: [String]] = [:]
        var open = page.split(separator: "\n").compactMap { Self.marked(in: $0)?.module } + [Self.element]
        while let next = open.popLast() {
            guard imports[next] == nil, let text = source(next) else { continue }
            let named = Self.imports(in: text, of: next)
            imports[next] = named
            open += named
        }
        self.imports = imports
    }

    /// The page with a `modulepreload` for each module that a marked one imports, at the first place where one needs it.
    func written(into page: String) -> String {
        let marked = page.split(separator: "\n").compactMap { Self.marked(in: $0)?.module }
        var named = Set(marked)
        var lines: [Substring] = []
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            guard let (module, isScript) = Self.marked(in: line) else {
                lines.append(line)
                continue
            }
            let plain = line.replacing(Self.mark, with: "")
            // A script's imports go before it; its own address is its request.
            let link = isScript ? "<link rel=\"modulepreload\" href=\"\(module)\">" : plain
            let others = closure(of: module).filter { named.insert($0).inserted }
                .map { Substring(link.replacing(module, with: $0)) }
            lines += isScript ? others + [Substring(plain)] : [Substring(plain)] + others
        }
        return lines.joined(separator: "\n")
    }

    /// The module of the element, which imports all that its imports import: they are asked for at once.
    func written(intoElement text: String) -> String {
        text + closure(of: Self.element).map { "import './\($0)'\n" }.joined()
    }

    private static let element = "embed.js"
    private static let mark = " data-imports"

    /// The module that a line of the page names, where it is marked.
    private static func marked(in line: Substring) -> (module: String, isScript: Bool)? {
        guard line.contains(mark), let start = line.firstRange(of: "\"js/")?.lowerBound,
            let end = line[line.index(after: start)...].firstIndex(of: "\"")
        else { return nil }
        return (String(line[line.index(after: start)..<end]), line.hasPrefix("<script"))
    }

    /// All that a module imports, and what that imports, without the module; each once.
    private func closure(of module: String) -> [String] {
        var found = [module]
        var place = 0
        while place < found.count {
            for next in imports[found[place]] ?? [] where !found.contains(next) { found.append(next) }
            place += 1
        }
        return Array(found.dropFirst())
    }

    /// The paths that a module's `import … from` and `export … from` name.
    private static func imports(in text: String, of module: String) -> [String] {
        text.split(separator: " from '").dropFirst().compactMap { rest in
            let path = rest.prefix { $0 != "'" }
            guard path.hasPrefix("."), path.hasSuffix(".js") else { return nil }
            var folders = module.split(separator: "/").dropLast()
            for part in path.split(separator: "/") where part != "." {
                if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
            }
            return folders.joined(separator: "/")
        }
    }
}
