import Numbers
import Testing
import Viewport

@Suite struct RatioLayoutTests {
    @Test("an aspect ratio is precise to 0.02%, and an unknown one is 1.5")
    func ratios() {
        var random = SeededRandom(seed: 2)
        var ratios = AspectRatios(count: 100)
        #expect(ratios[7] == 1.5 && !ratios.isKnown(7))
        for item in 0..<100 {
            let ratio = random.real(1.0 / 32...32)
            ratios[item] = ratio
            #expect(abs(ratios[item] / ratio - 1) < 0.0002)
        }
        ratios[3] = .nan
        #expect(ratios[3] == 1.5)
        ratios[100] = 2
        #expect(ratios[100] == 1.5 && ratios.count == 100)
        let changes = [ratios.set(5, width: 300, height: 200), ratios.set(5, width: 3000, height: 2000)]
        #expect(changes == [true, false])
        #expect(ratios[5] == 1.5 && ratios.isKnown(5))
    }

    @Test("justified rows are full and keep every ratio, and the last row is not stretched")
    func justified() {
        let ratios = randomRatios(500, seed: 3)
        var options = LayoutOptions(kind: .justified(rowHeight: 200), lineSpacing: 6, interitemSpacing: 4)
        options.sectionInset = EdgeInsets(top: 0, left: 10, bottom: 0, right: 15)
        let layout = makeLayout(options, width: 1200, sections: [0..<200, 200..<200, 200..<500], aspectRatios: ratios)
        var item = 0
        while item < 500 {
            let first = layout.frame(of: item)
            var row = [item]
            while item + 1 < 500, layout.frame(of: item + 1).y == first.y {
                item += 1
                row.append(item)
            }
            for other in row {
                let frame = layout.frame(of: other)
                #expect(abs(frame.width / frame.height / ratios[other] - 1) < 1e-9)
                #expect(frame.height == first.height)
            }
            let end = layout.frame(of: item).maxX
            if item == 199 || item == 499 {
                #expect(first.height <= 200 && end <= 1185 + 1e-3)
            } else {
                #expect(abs(end - 1185) < 1e-3)
            }
            item += 1
        }
    }

    @Test("masonry puts each item into the shortest column without overlap")
    func masonry() {
        let ratios = randomRatios(700, seed: 4)
        let options = LayoutOptions(kind: .masonry(columnWidth: 150), lineSpacing: 5, interitemSpacing: 8)
        let layout = makeLayout(options, width: 1000, sections: [0..<300, 300..<700], aspectRatios: ratios)
        var bottoms: [Double: Double] = [:]
        var top = 0.0
        for item in 0..<700 {
            if item == 300 {
                top = bottoms.values.max() ?? 0
                bottoms = [:]
            }
            let frame = layout.frame(of: item)
            #expect(abs(frame.width / frame.height / ratios[item] - 1) < 1e-9)
            #expect(frame.y >= (bottoms[frame.x] ?? top - 5))
            if bottoms.count == 6 { #expect(frame.y <= (bottoms.values.min() ?? 0) + 5 + 1e-9) }
            bottoms[frame.x] = frame.maxY
        }
        #expect(bottoms.count == 6)
        #expect(abs(layout.contentHeight - (bottoms.values.max() ?? 0)) < 1e-6)
    }
}
