import Foundation
import JSON
import PhotoFacts

/// The names of files beside a picture that may describe it.
package enum SidecarFiles {
    /// XMP, best first: `a.jpg.xmp` before `a.xmp`.
    static func xmp(of name: String) -> [String] {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        return ["\(name).xmp", "\(stem).xmp"]
    }

    /// The name that Google Takeout writes: the picture's with `.supplemental-metadata.json`, of which as much is left as makes 51
    /// characters, in older archives with `.json`.
    package static func takeout(of name: String) -> [String] {
        ["\("\(name).supplemental-metadata".prefix(46)).json", "\(name).json"]
    }

    /// The video that may belong to a picture.
    static func video(of name: String, _ motion: PictureFacts.Motion) -> [String] {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        return ["\(stem).\(motion.rawValue.uppercased())", "\(stem).\(motion.rawValue)"]
    }

    /// Whether a file of this extension may be a video that belongs to a picture.
    static func isVideo(_ type: PictureName.Extension) -> Bool { videos.contains(type) }

    private static let videos = [PictureFacts.Motion.mov, .mp4].compactMap { PictureName.Extension($0.rawValue) }

    /// Whether a file of this extension may be one.
    static func isSidecar(_ type: PictureName.Extension) -> Bool { types.contains(type) }

    private static let types = [PictureName.Extension("xmp"), PictureName.Extension("json")].compactMap(\.self)

    /// Bytes of one that are read.
    static let longest = 1 << 20

    /// Reads Takeout's: `{"photoTakenTime": {"timestamp": "1562940202"}, "geoData": {"latitude", …}, "description"}`.
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
        if let text = json["description"]?.string, !text.isEmpty { facts.description = String(text.prefix(2_000)) }
        return facts
    }
}
