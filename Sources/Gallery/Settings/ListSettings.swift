import Catalog

/// How lists are read.
public enum ListSettings {
    private static let standard = ListLimits()

    public static let maxSections = Setting(
        "max-sections", "Sections of one list", unit: "sections", default: standard.maxSections, in: 1...10_000_000)
    public static let maxLineBytes = Setting(
        "max-line", "Size of one line, record or element of a list", unit: "bytes", default: standard.maxLineBytes,
        in: 16...(16 << 20))
    public static let maxURLBytes = Setting(
        "max-url", "Size of one address", unit: "bytes", default: standard.maxURLBytes, in: 16...65_536)
    public static let maxTitleBytes = Setting(
        "max-title", "Size of one title", unit: "bytes", default: standard.maxTitleBytes, in: 1...65_536)
    public static let maxProblems = Setting(
        "max-problems", "Bad entries of a list that are told; all are counted", unit: "entries",
        default: standard.maxProblems, in: 0...100_000)
}
