import Numbers
import Testing
import Viewport

@Suite struct GridLayoutTests {
    @Test("spare width is spread between the items of a row")
    func slack() {
        let layout = grid(10) {
            $0.kind = .grid(itemWidth: 190, itemHeight: 100)
            $0.interitemSpacing = 4
            $0.lineSpacing = 7
            $0.sectionInset = EdgeInsets(top: 11, left: 20, bottom: 13, right: 30)
        }
        // 1150 px hold five items of 190 with 4 between them; 200 px are left for four gaps.
        #expect(layout.frame(of: 0) == Frame(x: 20, y: 11, width: 190, height: 100))
        #expect(layout.frame(of: 1).x == 20 + 240)
        #expect(layout.frame(of: 4).maxX == 1170)
        #expect(layout.frame(of: 5) == Frame(x: 20, y: 118, width: 190, height: 100))
        #expect(layout.contentHeight == 11 + 100 + 7 + 100 + 13)
    }

    @Test("an incomplete last row keeps the spacing of a full row")
    func lastRow() {
        let layout = grid(8) { $0.kind = .grid(itemWidth: 190, itemHeight: 100) }
        #expect(layout.frame(of: 7).x == layout.frame(of: 1).x)
    }

    @Test("an item wider than the available width is narrowed to fit")
    func wideItem() {
        let layout = grid(3) {
            $0.kind = .grid(itemWidth: 5000, itemHeight: 100)
            $0.sectionInset = EdgeInsets(top: 0, left: 100, bottom: 0, right: 100)
        }
        #expect(layout.frame(of: 2) == Frame(x: 100, y: 200, width: 1000, height: 100))
    }

    @Test("an empty section still has its header and insets")
    func emptySection() {
        let layout = grid(0, sections: [6, 0, 7]) {
            $0.headerHeight = 40
            $0.sectionInset = EdgeInsets(top: 5, left: 0, bottom: 6, right: 0)
        }
        #expect(layout.header(of: 0) == Frame(x: 0, y: 0, width: 1200, height: 40))
        #expect(layout.header(of: 1)?.y == 231)
        #expect(layout.header(of: 2)?.y == 282)
        #expect(layout.frame(of: 6).y == 327)
        #expect(layout.contentHeight == 282 + 45 + 360 + 6)
        #expect(layout.header(of: 3) == nil)
    }

    @Test("a layout finds the same items in a band as a linear search", arguments: 0..<3)
    func itemsInBand(kind: Int) {
        var random = SeededRandom(seed: UInt64(4 + kind))
        for round in 0..<30 {
            let counts = (0..<random.int(1..<9)).map { _ in random.int(0..<(random.int(0..<2) == 0 ? 5 : 400)) }
            let kinds: [LayoutOptions.Kind] = [
                .grid(itemWidth: random.real(30...700), itemHeight: random.real(1...300)),
                .justified(rowHeight: random.real(20...400)), .masonry(columnWidth: random.real(20...700)),
            ]
            var options = LayoutOptions(kind: kinds[kind])
            options.smallSectionLimit = round % 4
            options.lineSpacing = round % 3 == 0 ? 0 : random.real(0...30)
            options.interitemSpacing = random.real(0...30)
            options.headerHeight = round % 2 == 0 ? 0 : 50
            options.sectionInset = EdgeInsets(top: 4, left: 3, bottom: 17, right: 9)
            let ratios = randomRatios(counts.reduce(0, +), seed: UInt64(round))
            expectSearchesAgree(
                makeLayout(options, width: 900, sections: ranges(counts), aspectRatios: ratios), &random)
        }
    }

    @Test("overlapping sections and gaps are repaired")
    func mended() {
        let options = LayoutOptions(kind: .grid(itemWidth: 100, itemHeight: 100))
        let layout = makeLayout(options, width: 1000, sections: [3..<9, 5..<7, 20..<25], aspectRatios: nil)
        #expect(layout.itemCount == 25)
        #expect(layout.sectionCount == 3)
        #expect(layout.frame(of: 25) == .zero)
        #expect(layout.frame(of: -1) == .zero)
    }
}

/// Expects `items(in:)` and `placedItems(in:)` to agree with a search through every frame.
func expectSearchesAgree(_ layout: any Layout, _ random: inout SeededRandom) {
    let frames = (0..<layout.itemCount).map { layout.frame(of: $0) }
    #expect(layout.frames(of: -5..<frames.count + 9) == frames)
    for _ in 0..<10 {
        let first = random.int(-3..<layout.itemCount + 3)
        let range = first..<first + random.int(0..<30)
        #expect(layout.frames(of: range) == Array(frames[range.clamped(to: 0..<frames.count)]))
    }
    for _ in 0..<20 {
        let from = random.real(-200...(layout.contentHeight + 200))
        let edge = frames.isEmpty ? from : frames[random.int(0..<frames.count)].maxY
        for low in [from, edge] {
            let band = low..<(low + random.real(0...900))
            let overlapping = frames.indices.filter {
                frames[$0].y < band.upperBound && frames[$0].maxY > band.lowerBound
            }
            let found = layout.items(in: band)
            if let first = overlapping.first, let last = overlapping.last {
                #expect(found == first..<(last + 1))
            } else {
                #expect(found.isEmpty)
            }
            let placed = layout.placedItems(in: band)
            #expect(placed.items == found)
            #expect(placed.frames == Array(frames[found]))
        }
    }
}
