import Foundation
import Replay
import TestSupport
import Testing

/// The origin of `Tests/Benchmarks/live.sh` is a C program. It must draw the same random values as the simulator.
@Suite(.timeLimit(.minutes(1)))
struct LiveOriginTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Benchmarks/Live/Origin").path

    @Test("the live origin draws the same sizes and delays as the simulated one")
    func draws() async throws {
        let program = """
            #include "draws.h"
            #include <stdio.h>
            int main(void) {
                for (int item = 0; item < 20000; item += 7) {
                    struct draw draw = draw_item(item, 150, 0.35);
                    printf("%d %.9f %.9f\\n", item, draw.bytes, draw.delay);
                }
            }
            """
        let folder = try TemporaryFolder()
        let compiler = try Child(
            "/usr/bin/env",
            [
                "cc", "-I", Self.sources, "\(Self.sources)/draws.c", "-D_GNU_SOURCE", "-x", "c", "-", "-o",
                "\(folder.path)/draws", "-lm",
            ], input: Array(program.utf8))
        _ = await compiler.output()
        try #require(compiler.wait() == 0, "\(compiler.standardError())")

        let lines = try await Child("\(folder.path)/draws", []).output().split(separator: "\n")
        #expect(lines.count > 2_000)
        let origin = Origin(latency: 150)
        for line in lines {
            let fields = line.split(separator: " ").compactMap { Double($0) }
            try #require(fields.count == 3)
            let picture = origin.picture(Int(fields[0]))
            #expect(abs(picture.bytes - fields[1]) < 1e-5 && abs(picture.delay - fields[2]) < 1e-5, "item \(fields[0])")
        }
    }
}
