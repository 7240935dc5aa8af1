/// Import graph of the page's modules. The browser gets the whole list at once, instead of discovering the modules one after the other.
struct PageModules: Sendable {
    /// Imports of each module, in their order. All paths are relative to the page's folder.
    private let imports: [String: [String]]

    /// Reads the modules that `page` marks, the element's module, and everything that they import.
    ///
    /// - Parameter source: returns the text of a module by its path, or `nil` if there is none.
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

    /// Returns the page with a `modulepreload` for each module that a marked one imports. Each goes to the first place that needs it.
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
            // Preload a script's imports before the script. The script itself needs no preload.
            let link = isScript ? "<link rel=\"modulepreload\" href=\"\(module)\">" : plain
            let others = closure(of: module).filter { named.insert($0).inserted }
                .map { Substring(link.replacing(module, with: $0)) }
            lines += isScript ? others + [Substring(plain)] : [Substring(plain)] + others
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the element's module with imports of all modules that it needs directly or indirectly, so that the browser requests them at
    /// the same time.
    func written(intoElement text: String) -> String {
        text + closure(of: Self.element).map { "import './\($0)'\n" }.joined()
    }

    private static let element = "embed.js"
    private static let mark = " data-imports"

    /// Returns the module that a marked line of the page names, or `nil` for other lines.
    private static func marked(in line: Substring) -> (module: String, isScript: Bool)? {
        guard line.contains(mark), let start = line.firstRange(of: "\"js/")?.lowerBound,
            let end = line[line.index(after: start)...].firstIndex(of: "\"")
        else { return nil }
        return (String(line[line.index(after: start)..<end]), line.hasPrefix("<script"))
    }

    /// Returns all modules that a module imports directly or indirectly, without the module itself. Each occurs once.
    private func closure(of module: String) -> [String] {
        var found = [module]
        var place = 0
        while place < found.count {
            for next in imports[found[place]] ?? [] where !found.contains(next) { found.append(next) }
            place += 1
        }
        return Array(found.dropFirst())
    }

    /// Returns the paths in a module's `import … from` and `export … from` statements.
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
