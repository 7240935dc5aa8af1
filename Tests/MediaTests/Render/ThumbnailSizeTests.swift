import Media
import Testing

@Suite struct ThumbnailSizeTests {
    @Test(
        "a thumbnail is the smallest size of its picture's proportions that covers the box",
        arguments: [
            // box, picture, thumbnail
            (384, 256, 1200, 800, 384, 256), (384, 256, 4000, 3000, 384, 288), (384, 256, 3000, 4000, 384, 512),
            (0, 256, 1200, 800, 384, 256), (384, 0, 1200, 800, 384, 256), (100, 100, 1000, 500, 200, 100),
        ])
    func covers(boxWidth: Int, boxHeight: Int, width: Int, height: Int, thumbWidth: Int, thumbHeight: Int) {
        let size = ThumbnailSize(width: boxWidth, height: boxHeight).size(forPicture: width, height)
        #expect(size == (thumbWidth, thumbHeight))
    }

    @Test("a picture smaller than the box keeps its size")
    func neverEnlarges() {
        #expect(ThumbnailSize(width: 384, height: 256).size(forPicture: 100, 50) == (100, 50))
        #expect(ThumbnailSize(width: 384, height: 0).size(forPicture: 1, 1) == (1, 1))
    }

    @Test("an empty box gives the picture's own size, within the longest side")
    func emptyBox() {
        #expect(ThumbnailSize(width: 0, height: 0).size(forPicture: 640, 480) == (640, 480))
        #expect(ThumbnailSize(width: -5, height: 0).size(forPicture: 8192, 4096) == (4096, 2048))
    }

    @Test("each side has 1 to 4096 pixels, or 0 if the picture has none")
    func extremes() {
        #expect(ThumbnailSize(width: 256, height: 256).size(forPicture: 20_000, 2) == (4096, 1))
        #expect(ThumbnailSize(width: Int.max, height: Int.max).size(forPicture: 20_000, 20_000) == (4096, 4096))
        #expect(ThumbnailSize(width: 10, height: 10).size(forPicture: 0, 5) == (0, 0))
    }
}
