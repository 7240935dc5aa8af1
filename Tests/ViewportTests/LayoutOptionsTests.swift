import Numbers
import Testing
import Viewport

@Suite struct LayoutOptionsTests {
    @Test("an option out of range is refused by name")
    func names() {
        func field(_ change: (inout LayoutOptions) -> Void) -> String? {
            var options = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
            change(&options)
            do {
                try options.validate()
                return nil
            } catch {
                return error.field
            }
        }
        #expect(field { _ in } == nil)
        #expect(field { $0.kind = .grid(itemWidth: 0, itemHeight: 1) } == "itemWidth")
        #expect(field { $0.kind = .grid(itemWidth: 1, itemHeight: .nan) } == "itemHeight")
        #expect(field { $0.kind = .justified(rowHeight: -1) } == "rowHeight")
        #expect(field { $0.kind = .masonry(columnWidth: .infinity) } == "columnWidth")
        #expect(field { $0.lineSpacing = -1 } == "lineSpacing")
        #expect(field { $0.interitemSpacing = .nan } == "interitemSpacing")
        #expect(field { $0.sectionInset.left = 1e9 } == "sectionInset/left")
        #expect(field { $0.headerHeight = -.infinity } == "headerHeight")
    }

    @Test("an error message names the allowed range")
    func message() {
        let options = LayoutOptions(kind: .justified(rowHeight: 0))
        #expect {
            try options.validate()
        } throws: {
            "\($0)" == "rowHeight must be a number from 1 to 100000, not 0.0"
        }
    }

    @Test("layouts with any options have finite frames")
    func anything() {
        var random = SeededRandom(seed: 7)
        let numbers: [Double] = [.nan, .infinity, -.infinity, -1, 0, 1e-300, 0.5, 1, 3, 250, 1e4, 1e9, 1e300]
        func any() -> Double { numbers[random.int(0..<numbers.count)] }
        for _ in 0..<400 {
            let kinds: [LayoutOptions.Kind] = [
                .grid(itemWidth: any(), itemHeight: any()), .justified(rowHeight: any()), .masonry(columnWidth: any()),
            ]
            let options = LayoutOptions(
                kind: kinds[random.int(0..<3)], lineSpacing: any(), interitemSpacing: any(),
                sectionInset: EdgeInsets(top: any(), left: any(), bottom: any(), right: any()), headerHeight: any())
            let count = [0, 1, 70][random.int(0..<3)]
            let layout = makeLayout(
                options, width: any(), sections: ranges([0, count, 0]), aspectRatios: randomRatios(count, seed: 8))
            #expect(layout.contentHeight.isFinite && layout.contentHeight >= 0)
            for item in 0..<count {
                let frame = layout.frame(of: item)
                #expect(frame.x.isFinite && frame.y.isFinite && frame.width > 0 && frame.height > 0)
            }
            let all = layout.items(in: -Double.infinity..<Double.infinity)
            #expect(all == 0..<count)
            #expect(layout.items(in: 1e300..<1e301).isEmpty)
        }
    }
}
