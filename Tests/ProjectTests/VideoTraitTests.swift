import Foundation
import Testing

/// A default build has no videos. This checks that the code for videos still compiles.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(
        if: ["x86_64", "aarch64"].contains {
            FileManager.default.fileExists(atPath: "/usr/include/\($0)-linux-gnu/libavformat/avformat.h")
        }, "there are no headers: .ci/install --video"))
struct VideoTraitTests {
    @Test("the code of the trait Video compiles without a warning")
    func compiles() async throws {
        let run = try await Checkout.run(
            "cc -std=gnu17 -Wall -Wextra -Werror -fsyntax-only -DLOOKAHEAD_VIDEO -ISources/CImageCodecs/include "
                + "Sources/CImageCodecs/ImageVideo.c")
        #expect(run.status == 0, "\(run.output)")
    }
}
