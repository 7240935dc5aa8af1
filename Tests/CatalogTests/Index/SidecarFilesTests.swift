import Catalog
import Foundation
import Media
import TestSupport
import Testing

@Suite("Sidecar files", .timeLimit(.minutes(1))) struct SidecarFilesTests {
    @Test(
        "an archive's sidecar is found by each name the service gives it",
        arguments: [
            ("a.jpg", "a.jpg.supplemental-metadata.json"), ("a.jpg", "a.jpg.json"),
            ("c(1).jpg", "c.jpg.supplemental-metadata(1).json"), ("c(1).jpg", "c.jpg(1).json"),
            ("c(1).jpg", "c(1).jpg.json"), ("c-edited(2).jpg", "c.jpg(2).json"),
            ("X-edited.jpg", "X.jpg.supplemental-metadata.json"), ("X-bearbeitet.jpg", "X.jpg.json"),
            ("X-modifié.jpg", "X.jpg.json"), ("X-modifie\u{301}.jpg", "X.jpg.json"), ("X-editado.jpg", "X.jpg.json"),
            ("X-edited.jpg", "X-edited.jpg.json"),
            ("Screenshot_2017-07-05-10-05-26.png", "Screenshot_2017-07-05-10-05-26.png.supplementa.json"),
            ("PXL_20210712_153000123.PORTRAIT.jpg", "PXL_20210712_153000123.PORTRAIT.jpg.supplement.json"),
            ("PXL_20210712_153000123.PORTRAIT(1).jpg", "PXL_20210712_153000123.PORTRAIT.jpg.supplement(1).json"),
            (
                "Urlaub in Knaufspesch in der Schneifel (38).JPG",
                "Urlaub in Knaufspesch in der Schneifel (38).JP.json"
            ),
            (
                "Urlaub in Knaufspesch in der Schneifel (38).JPG",
                "Urlaub in Knaufspesch in der Schneifel (38).JPG.supplemental-metadata.json"
            ),
            (
                "Urlaub in Knaufspesch in der Schneifel (38).JPG",
                "Urlaub in Knaufspesch in der Schneifel .JPG.supplemental-metadata(38).json"
            ),
            (
                "a picture with a rather long name 4000227-edited.jpg",
                "a picture with a rather long name 4000227.jpg.supplemental-metadata.json"
            ),
        ])
    func takeout(name: String, file: String) { #expect(SidecarFiles.takeout(of: name).contains(file)) }

    @Test("an archive's number suffix is respected, and no other picture's file is used")
    func numbers() {
        #expect(SidecarFiles.takeout(of: "c(1).jpg").first == "c.jpg.supplemental-metadata(1).json")
        #expect(!SidecarFiles.takeout(of: "c(1).jpg").contains("c.jpg.json"))
        let stem = String(repeating: "a", count: 47)
        let cut = SidecarFiles.takeout(of: "\(stem)(1).jpg").filter { !$0.hasPrefix(stem) }
        #expect(!cut.isEmpty && cut.allSatisfy { $0 == "\(stem.dropLast())(1).json" })
        // A whole name is preferred to a truncated one, which several pictures may share.
        #expect(SidecarFiles.takeout(of: "\(stem).jpg").first == "\(stem).jpg.supplemental-metadata.json")
        for name in ["", "(1)", "(1).jpg", "c().jpg", "c(x).jpg", "c(1234567).jpg", "-edited.jpg", ")", "c)(.jpg"] {
            #expect(SidecarFiles.takeout(of: name) == ["\(name).supplemental-metadata.json", "\(name).json"])
        }
    }

    @Test("sidecars are found in any letter case, and an exact match is preferred")
    func anyCase() async throws {
        let folder = try TemporaryFolder()
        for (name, stars) in [("DSC4.xmp", 4), ("dsc5.XMP", 5), ("Dsc6.JPG.Xmp", 3), ("dsc4.xmp", 2)] {
            try folder.write("root/\(name)", Array(#"<rdf:Description xmp:Rating="\#(stars)"/>"#.utf8))
        }
        for name in ["DSC4.JPG", "DSC5.jpg", "DSC6.jpg", "DSC7.jpg"] {
            try folder.write("root/\(name)", Picture.jpeg(10, 10))
        }
        try folder.write(
            "root/dsc7.JPG.SUPPLEMENTAL-metadata.json", Array(#"{"photoTakenTime":{"timestamp":"1562940202"}}"#.utf8))
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: PictureIndex(directory: nil))
        defer { catalog.stop() }
        let listing = await catalog.waitUntil { $0.isComplete && $0.factsKnown == 4 }
        #expect((0..<4).map { listing.facts($0)?.rating } == [4, 5, 3, nil])
        #expect(listing.facts(3)?.taken?.text == "2019-07-12T14:03:22")
    }
}
