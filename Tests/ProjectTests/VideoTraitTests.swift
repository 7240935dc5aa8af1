import Foundation
import Testing

/// A build has no videos unless it is asked to: what it leaves out must be code all the same.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(
        if: ["x86_64", "aarch64"].contains {
            FileManager.default.fileExists(atPath: "/usr/include/\($0)-linux-gnu/libavformat/avformat.h")
        }, "there are no headers: .ci/install --video"))
struct VideoTraitTests {
    @Test("what only the trait Video has compiles without a warning")
    func compiles() async throws {
        let run = try await Checkout.run(
            "cc -std=gnu17 -Wall -Wextra -Werror -fsyntax-only -DLOOKAHEAD_VIDEO -ISources/CImageCodecs/include "
                + "Sources/CImageCodecs/ImageVideo.c")
        #expect(run.status == 0, "\(run.output)")
    }
}
