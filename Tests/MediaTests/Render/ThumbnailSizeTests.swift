import Media
import Testing

@Suite struct ThumbnailSizeTests {
    @Test(
        "a thumbnail is the smallest size of its picture's proportions that covers the box",
        arguments: [
            // box, picture, thumbnail
            (384, 256, 1200, 800, 384, 256), (384, 256, 4000, 3000, 384, 288), (384, 256, 3000, 4000, 384, 512),
            (0, 256, 1200, 800, 384, 256), (384, 0, 1200, 800, 384, 256), (100, 100, 1000, 500, 200, 100),
            // A picture smaller than the box keeps its size.
            (384, 256, 100, 50, 100, 50), (384, 0, 1, 1, 1, 1),
            // An empty box gives the picture's own size, within the longest side.
            (0, 0, 640, 480, 640, 480), (-5, 0, 8192, 4096, 4096, 2048),
            // Each side has 1 to 4096 pixels, or 0 if the picture has none.
            (256, 256, 20_000, 2, 4096, 1), (.max, .max, 20_000, 20_000, 4096, 4096), (10, 10, 0, 5, 0, 0),
        ] as [(Int, Int, Int, Int, Int, Int)])
    func covers(boxWidth: Int, boxHeight: Int, width: Int, height: Int, thumbWidth: Int, thumbHeight: Int) {
        let size = ThumbnailSize(width: boxWidth, height: boxHeight).size(forPicture: width, height)
        #expect(size == (thumbWidth, thumbHeight))
    }
}
