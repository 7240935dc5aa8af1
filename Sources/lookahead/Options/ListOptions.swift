import ArgumentParser
import Catalog
import Gallery

/// Flags: how lists are read.
struct ListOptions: ParsableArguments {
    @Option(ListSettings.maxSections) var maxSections: Int?
    @Option(ListSettings.maxLineBytes) var maxLineBytes: Int?
    @Option(ListSettings.maxURLBytes) var maxURLBytes: Int?
    @Option(ListSettings.maxTitleBytes) var maxTitleBytes: Int?
    @Option(ListSettings.maxProblems) var maxProblems: Int?

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into limits: inout ListLimits) throws(SettingError) {
        limits.maxSections = try reader.number(maxSections, ListSettings.maxSections)
        limits.maxLineBytes = try reader.number(maxLineBytes, ListSettings.maxLineBytes)
        limits.maxURLBytes = try reader.number(maxURLBytes, ListSettings.maxURLBytes)
        limits.maxTitleBytes = try reader.number(maxTitleBytes, ListSettings.maxTitleBytes)
        limits.maxProblems = try reader.number(maxProblems, ListSettings.maxProblems)
    }
}
