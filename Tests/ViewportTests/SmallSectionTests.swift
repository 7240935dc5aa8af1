import Numbers
import Testing
import Viewport

@Suite struct SmallSectionTests {
    @Test("small grid sections share a row, each as wide as its items")
    func gridRow() {
        let layout = grid(0, sections: [1, 2, 1, 3, 12, 1, 1]) {
            $0.headerHeight = 40
            $0.smallSectionLimit = 3
        }
        #expect((0..<4).map { layout.frame(of: $0) } == (0..<4).map { cell(column: $0, y: 40) })
        #expect(layout.frame(of: 4) == cell(column: 0, y: 260), "three do not fit beside four")
        #expect(layout.frame(of: 7) == cell(column: 0, y: 480), "a large section shares no row")
        #expect((19..<21).map { layout.frame(of: $0) } == (0..<2).map { cell(column: $0, y: 880) })
        #expect(layout.contentHeight == 880 + 180)
        #expect(layout.sharesRows)
        #expect(
            (0..<7).map { layout.header(of: $0) } == [
                header(x: 0, y: 0, to: 200), header(x: 200, y: 0, to: 600), header(x: 600, y: 0, to: 1200),
                header(x: 0, y: 220, to: 1200), header(x: 0, y: 440, to: 1200), header(x: 0, y: 840, to: 200),
                header(x: 200, y: 840, to: 1200),
            ])
    }

    private func cell(column: Int, y: Double) -> Frame {
        Frame(x: Double(column) * 200, y: y, width: 200, height: 180)
    }

    private func header(x: Double, y: Double, to end: Double) -> Frame {
        Frame(x: x, y: y, width: end - x, height: 40)
    }

    @Test("a small section is at least as wide as its title needs")
    func narrowColumns() {
        let layout = grid(0, sections: [1, 3, 1]) {
            $0.kind = .grid(itemWidth: 40, itemHeight: 30)
            $0.headerHeight = 20
            $0.smallSectionLimit = 3
        }
        // Thirty columns of 40 px: 72 px are two of them.
        #expect((0..<5).map { layout.frame(of: $0).x } == [0, 80, 120, 160, 200])
        #expect(layout.header(of: 0)?.width == 80)
    }

    @Test("large sections, empty sections and sections without a limit do not share a row")
    func notShared() {
        let narrow = makeLayout(
            LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180), smallSectionLimit: 3), width: 400,
            sections: ranges([3, 3, 0, 1]))
        #expect(narrow.frame(of: 3).y == 360 && narrow.frame(of: 6).y == 720)
        #expect(!narrow.sharesRows)
        #expect(grid(0, sections: [1, 1]).frame(of: 1).y == 180)
        #expect(!grid(0, sections: [1, 1]).sharesRows)
    }

    @Test("small masonry sections share a row, each item in its own column")
    func masonry() {
        var options = LayoutOptions(
            kind: .masonry(columnWidth: 150), lineSpacing: 10, headerHeight: 40, smallSectionLimit: 3)
        options.sectionInset.bottom = 20
        // Six columns of 150 px: sections of 1, 2 and 3, then 1 and 1, then a large one.
        let ratios = AspectRatios(count: 20) { $0.isMultiple(of: 2) ? 1 : 0.5 }
        let layout = makeLayout(
            options, width: 900, sections: ranges([1, 2, 3, 1, 1, 12]), aspectRatios: ratios)
        #expect((0..<6).map { layout.frame(of: $0).x } == [0, 150, 300, 450, 600, 750])
        #expect((0..<6).allSatisfy { layout.frame(of: $0).y == 40 })
        #expect((6..<8).map { layout.frame(of: $0).x } == [0, 150], "below the longest of the first three")
        #expect((6..<8).allSatisfy { layout.frame(of: $0).y == 400 })
        #expect(layout.frame(of: 8) == Frame(x: 0, y: 760, width: 150, height: 150))
        #expect(layout.sharesRows)
        #expect(
            (0..<6).map { layout.header(of: $0) } == [
                header(x: 0, y: 0, to: 150), header(x: 150, y: 0, to: 450), header(x: 450, y: 0, to: 900),
                header(x: 0, y: 360, to: 150), header(x: 150, y: 360, to: 900), header(x: 0, y: 720, to: 900),
            ])
        #expect(layout.items(in: 200..<300) == 1..<6, "the range includes pictures that end above the band")
        let placed = layout.placedItems(in: 200..<450)
        #expect(placed.items == 1..<8 && placed.frames == layout.frames(of: 1..<8))
    }

    @Test("a justified row of small sections fills the width within its height bounds")
    func justifiedRow() {
        var random = SeededRandom(seed: 11)
        for seed in 0..<60 {
            let counts = (0..<40).map { _ in random.int(1..<4) }
            let ratios = randomRatios(counts.reduce(0, +), seed: UInt64(seed))
            var options = LayoutOptions(kind: .justified(rowHeight: 160), interitemSpacing: 8, smallSectionLimit: 3)
            options.sectionInset = EdgeInsets(top: 0, left: 16, bottom: 16, right: 16)
            options.headerHeight = 56
            let width = random.real(700...2000)
            let sections = ranges(counts)
            let layout = makeLayout(options, width: width, sections: sections, aspectRatios: ratios)
            #expect(layout.sharesRows)
            let rows = Dictionary(grouping: sections.indices) { layout.frame(of: sections[$0].lowerBound).y }
            for (y, row) in rows where row.count > 1 {
                let height = layout.frame(of: sections[row[0]].lowerBound).height
                #expect(height >= 160 - 0.001 && height <= 160 * 4 / 3 + 0.001)
                let end = layout.frame(of: sections[row[row.count - 1]].upperBound - 1).maxX
                #expect(end <= width - 16 + 0.01)
                if height > 160.01, height < 213.3 {
                    let last = sections[row[row.count - 1]]
                    let lastWidth = end - layout.frame(of: last.lowerBound).x
                    #expect(end >= width - 16 - 0.01 || lastWidth < LayoutOptions.minimumHeaderWidth, "row at \(y)")
                }
            }
        }
    }

    @Test(
        "cells and titles of small sections never overlap",
        arguments: [true, false])
    func neverOverlap(justified: Bool) {
        var random = SeededRandom(seed: justified ? 12 : 13)
        for seed in 0..<80 {
            let counts = (0..<random.int(1..<60)).map { _ in
                random.int(0..<8) == 0 ? random.int(0..<40) : random.int(0..<5)
            }
            var options = LayoutOptions(
                kind: justified
                    ? .justified(rowHeight: random.real(20...400))
                    : .grid(itemWidth: random.real(20...400), itemHeight: random.real(10...300)))
            options.interitemSpacing = random.real(0...20)
            options.lineSpacing = random.real(0...20)
            options.headerHeight = random.real(1...60)
            let inset = random.real(0...30)
            options.sectionInset = EdgeInsets(top: inset, left: inset, bottom: inset, right: inset)
            options.smallSectionLimit = random.int(0..<6)
            let width = random.real(100...2500)
            let sections = ranges(counts)
            let layout = makeLayout(
                options, width: width, sections: sections,
                aspectRatios: randomRatios(counts.reduce(0, +), seed: UInt64(seed)))
            expectSearchesAgree(layout, &random)
            var last = Frame.zero
            for (section, items) in sections.enumerated() {
                guard let header = layout.header(of: section) else { continue }
                #expect(header.x >= 0 && header.maxX <= width + 0.001 && header.width > 0)
                #expect(
                    header.y >= last.maxY - 1e-6 || header.y == last.y && abs(header.x - last.maxX) < 1e-6,
                    "section \(section): \(header) after \(last)")
                last = header
                for item in items {
                    let frame = layout.frame(of: item)
                    #expect(frame.y >= header.maxY - 1e-6)
                    // An item too wide for the remaining space has a row of its own.
                    if header.width < width {
                        #expect(frame.x >= header.x + inset - 1e-6 && frame.maxX <= max(header.maxX, width) + 1e-6)
                    }
                }
            }
        }
    }

    @Test("a small section limit out of range is refused by name or clamped")
    func limits() {
        var options = LayoutOptions(kind: .justified(rowHeight: 100))
        options.smallSectionLimit = 101
        do {
            try options.validate()
            Issue.record("101 was accepted")
        } catch {
            #expect(error.description == "smallSectionLimit must be a number from 0 to 100, not 101.0")
        }
        #expect(options.clamped().smallSectionLimit == 100)
        options.smallSectionLimit = -1
        #expect(options.clamped().smallSectionLimit == 0)
    }
}
