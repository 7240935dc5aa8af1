import Testing
import Web

@Suite struct ArchiveNamesTests {
    @Test("names that are alike, in whatever case, are told apart by numbers")
    func unique() {
        var names = ArchiveNames()
        let wanted = ["a.jpg", "a.jpg", "A.JPG", "a (2).jpg", "a.png", "b", "b", "a.jpg"]
        #expect(
            wanted.map { names.name($0) }
                == ["a.jpg", "a (2).jpg", "A (3).JPG", "a (2) (2).jpg", "a.png", "b", "b (2)", "a (4).jpg"])
    }

    @Test(
        "what leads elsewhere, hides a file or is a device somewhere is none of a name",
        arguments: [
            ("../../etc/passwd", "_.._etc_passwd"), ("C:\\a.jpg", "C__a.jpg"), (".hidden.jpg", "hidden.jpg"),
            ("a\u{0}\nb.jpg", "a__b.jpg"), ("con.jpg", "_con.jpg"), ("LPT1", "_LPT1"), ("a.jpg. ", "a.jpg"),
            ("...", "picture"), ("", "picture"), ("Málaga ünd 漢字.jpg", "Málaga ünd 漢字.jpg"),
        ])
    func safe(_ wanted: String, _ name: String) {
        var names = ArchiveNames()
        #expect(names.name(wanted) == name)
    }

    @Test("a name that is too long is shortened and keeps its ending")
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

    @Test("ten thousand pictures of one name all have one of their own, and that quickly")
    func many() {
        var names = ArchiveNames()
        #expect(Set((0..<10_000).map { _ in names.name("IMG.jpg") }).count == 10_000)
    }
}
