import Foundation
import JSON
import Media

/// Names of files beside a picture that may describe it.
package enum SidecarFiles {
    /// Returns the names of XMP files, best first: `a.jpg.xmp` before `a.xmp`.
    static func xmp(of name: String) -> [String] {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        return ["\(name).xmp", "\(stem).xmp"]
    }

    /// Returns the names that Google Takeout may have written, most likely first. A name is the picture's name with
    /// `.supplemental-metadata`, or without it in older archives. Some archives have the whole name, others only its first 46 characters
    /// before `.json`. Takeout's own number, as in `c(1).jpg`, is always complete and directly before `.json`. An edited picture has the
    /// sidecar of its original.
    package static func takeout(of name: String) -> [String] {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let ending = name[dot...]
        let (stem, number) = numbered(name[..<dot])
        let original = edits.first { stem.count > $0.count && stem.hasSuffix($0) }.map { stem.dropLast($0.count) }
        var found: [String] = []
        for stem in [stem, original].compactMap(\.self) {
            if !number.isEmpty { found += archived("\(stem)\(ending)", number) }
            // A name that is cut within its number may also belong to another picture.
            let mayBeCut = number.isEmpty || stem.count + number.count <= maximumCharacters
            found += archived("\(stem)\(number)\(ending)", mayBeCut: mayBeCut)
        }
        return found
    }

    private static func archived(_ name: String, _ number: Substring = "", mayBeCut: Bool = true) -> [String] {
        var found: [String] = []
        for whole in ["\(name).supplemental-metadata", name] {
            found.append("\(whole)\(number).json")
            if mayBeCut, whole.count > maximumCharacters {
                found.append("\(whole.prefix(maximumCharacters))\(number).json")
            }
        }
        return found
    }

    /// Splits off a number in parentheses at the end of the stem.
    private static func numbered(_ stem: Substring) -> (stem: Substring, number: Substring) {
        guard stem.last == ")", let open = stem.lastIndex(of: "("), open > stem.startIndex else { return (stem, "") }
        let digits = stem[stem.index(after: open)...].dropLast().utf8
        guard 1...6 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return (stem, "") }
        return (stem[..<open], stem[open...])
    }

    /// Maximum number of characters that Takeout keeps of a name before `.json`.
    private static let maximumCharacters = 46

    /// Suffixes that Google Photos adds to the names of edited pictures, in the language of their owner.
    private static let edits = [
        "-edited", "-bearbeitet", "-modifié", "-editado", "-ha editado", "-editada", "-modificato", "-bewerkt",
        "-edytowane", "-editat", "-redigerad", "-redigeret", "-redigert", "-muokattu", "-upraveno", "-düzenlendi",
        "-изменено", "-編集済み", "-已修改", "-已編輯", "-수정됨",
    ]

    /// Returns the names of the video that may belong to a picture.
    static func video(of name: String, _ motion: PictureFacts.Motion) -> [String] {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        return ["\(stem).\(motion.rawValue.uppercased())", "\(stem).\(motion.rawValue)"]
    }

    /// Returns whether a file with this extension may be a video that belongs to a picture.
    static func isVideo(_ type: PictureName.Extension) -> Bool { videos.contains(type) }

    private static let videos = [PictureFacts.Motion.mov, .mp4].compactMap { PictureName.Extension($0.rawValue) }

    static func isSidecar(_ type: PictureName.Extension) -> Bool { types.contains(type) }

    private static let types = [PictureName.Extension("xmp"), PictureName.Extension("json")].compactMap(\.self)

    /// Maximum length of a sidecar in bytes. Longer sidecars are ignored.
    static let longest = 1 << 20

    /// Maximum length of a description in bytes.
    private static let maximumDescription = 8_000

    /// Reads a sidecar from Takeout: `{"photoTakenTime": {"timestamp": "1562940202"}, "geoData": {"latitude", …}, "description"}`.
    static func archived(_ bytes: [UInt8]) -> FactSources.ArchivedFacts? {
        guard let json = try? JSON.parse(bytes), let timestamp = json["photoTakenTime"]?["timestamp"]?.string else {
            return nil
        }
        var facts = FactSources.ArchivedFacts()
        facts.taken = Int64(timestamp)
        if let latitude = json["geoData"]?["latitude"]?.number, let longitude = json["geoData"]?["longitude"]?.number,
            -90...90 ~= latitude, -180...180 ~= longitude, latitude != 0 || longitude != 0
        {
            facts.location = PictureFacts.Location(
                latitude: latitude, longitude: longitude, altitude: json["geoData"]?["altitude"]?.number)
        }
        if let text = json["description"]?.string, !text.isEmpty {
            facts.description = String(text.prefix(bytes: maximumDescription))
        }
        return facts
    }
}
