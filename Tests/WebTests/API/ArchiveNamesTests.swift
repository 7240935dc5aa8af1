import Testing
import Web

@Suite struct ArchiveNamesTests {
    @Test("equal names get numbers, ignoring case")
    func unique() {
        var names = ArchiveNames()
        let wanted = ["a.jpg", "a.jpg", "A.JPG", "a (2).jpg", "a.png", "b", "b", "a.jpg"]
        #expect(
            wanted.map { names.name($0) }
                == ["a.jpg", "a (2).jpg", "A (3).JPG", "a (2) (2).jpg", "a.png", "b", "b (2)", "a (4).jpg"])
    }

    @Test(
        "unsafe characters and reserved device names are replaced",
        arguments: [
            ("../../etc/passwd", "_.._etc_passwd"), ("C:\\a.jpg", "C__a.jpg"), (".hidden.jpg", "hidden.jpg"),
            ("a\u{0}\nb.jpg", "a__b.jpg"), ("con.jpg", "_con.jpg"), ("LPT1", "_LPT1"), ("a.jpg. ", "a.jpg"),
            ("...", "picture"), ("", "picture"), ("Málaga ünd 漢字.jpg", "Málaga ünd 漢字.jpg"),
        ])
    func safe(_ wanted: String, _ name: String) {
        var names = ArchiveNames()
        #expect(names.name(wanted) == name)
    }

    @Test("a long name is shortened and keeps its extension")
    func long() {
        var names = ArchiveNames()
        let long = String(repeating: "漢", count: 300) + ".jpg"
        let (first, second) = (names.name(long), names.name(long))
        #expect(first.utf8.count <= ArchiveNames.maxBytes && first.hasSuffix("漢.jpg"))
        #expect(second.utf8.count <= ArchiveNames.maxBytes + 8 && second.hasSuffix(" (2).jpg") && first != second)
        let accents = names.name("e" + String(repeating: "\u{301}", count: 500) + ".jpg")
        #expect(accents.utf8.count <= ArchiveNames.maxBytes)
        #expect(accents.unicodeScalars.first == "e" && accents.hasSuffix(".jpg"))
    }

    @Test("ten thousand pictures with the same name get distinct names")
    func many() {
        var names = ArchiveNames()
        #expect(Set((0..<10_000).map { _ in names.name("IMG.jpg") }).count == 10_000)
    }

    @Test("files with the same name in different folders keep it")
    func folders() {
        var names = ArchiveNames()
        #expect(names.name("p.jpg", in: ["2019"]) == "2019/p.jpg")
        #expect(names.name("p.jpg", in: ["2020", "Zürich"]) == "2020/Zürich/p.jpg")
        #expect(names.name("p.jpg") == "p.jpg")
        #expect(names.name("P.JPG", in: ["2019"]) == "2019/P (2).JPG")
    }

    @Test(
        "unsafe folder names are replaced",
        arguments: [
            (["..", "..", "etc"], "folder/folder/etc/p.jpg"), (["", "."], "folder/folder/p.jpg"),
            (["C:\\a"], "C__a/p.jpg"), (["a/b"], "a_b/p.jpg"), ([".git"], "git/p.jpg"), (["a\u{0}\n"], "a__/p.jpg"),
            (["con"], "_con/p.jpg"), (["a. "], "a/p.jpg"),
        ] as [([String], String)])
    func safeFolders(_ folders: [String], _ name: String) {
        var names = ArchiveNames()
        #expect(names.name("p.jpg", in: folders) == name)
    }

    @Test("a folder gets another name if a file has its name, and one folder keeps one name")
    func oneName() {
        var names = ArchiveNames()
        #expect(names.name("A.jpg") == "A.jpg")
        #expect(names.name("p.jpg", in: ["a.jpg"]) == "a.jpg_/p.jpg")
        #expect(names.name("q.jpg", in: ["a.jpg"]) == "a.jpg_/q.jpg")
        #expect(names.name("p.jpg", in: ["b.jpg"]) == "b.jpg/p.jpg")
        #expect(names.name("B.jpg") == "B (2).jpg")
        #expect(names.name("p.jpg", in: ["B.JPG"]) == "B.JPG/p (2).jpg")
    }

    @Test("a long path loses its innermost folders, and a long folder name its end")
    func longFolders() {
        var names = ArchiveNames()
        let long = String(repeating: "漢", count: 300)
        let first = names.name("p.jpg", in: [long])
        #expect(first.utf8.count <= ArchiveNames.maxBytes + 6 && first.hasSuffix("漢/p.jpg"))
        let deep = (0..<2).map { _ in names.name("p.jpg", in: Array(repeating: "folder", count: 1_000)) }
        #expect(deep.allSatisfy { $0.utf8.count <= ArchiveNames.maxFolderBytes + ArchiveNames.maxBytes })
        #expect(deep[0].hasSuffix("/folder/p.jpg") && deep[1].hasSuffix("/folder/p (2).jpg"))
    }
}
