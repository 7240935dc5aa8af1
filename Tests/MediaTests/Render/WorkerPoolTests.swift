import CImageCodecs
import Dispatch
import Media
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct WorkerPoolTests {
    /// Numbers collected from several threads.
    private final class Notes: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    private func pool(_ change: (inout WorkerConfiguration) -> Void = { _ in }) -> WorkerPool {
        var configuration = WorkerConfiguration(executable: workerExecutable(), workers: 1)
        change(&configuration)
        return WorkerPool(configuration)
    }

    private func photograph() -> [UInt8] {
        var camera = CameraFile()
        camera.preview = Encode.jpeg(.quadrants(160, 120))
        camera.orientation = 6
        return camera.bytes(around: Encode.jpeg(.quadrants(400, 300)))
    }

    @Test("a worker finds the upright preview of a JPEG and the picture's size")
    func preview() throws {
        let pool = pool()
        defer { pool.close() }
        let bytes = photograph()
        for found in [
            try pool.preview(in: WorkerFile(FilePieces(bytes))), try pool.preview(inBeginning: bytes),
        ] {
            #expect(found.width == 300 && found.height == 400)
            let preview = try #require(found.thumbnail)
            #expect(preview.width == 120 && preview.height == 160)
            #expect(preview.sourceWidth == 300 && preview.sourceHeight == 400)
        }
        #expect(pool.processes.count == 1)
    }

    @Test("a worker reads only the needed parts of a file, and the preview beside the file")
    func parts() throws {
        let pool = pool()
        defer { pool.close() }
        let film = Movie().bytes
        let bytes = Picture.motionPhoto(Picture.jpeg(30, 20) + [UInt8](repeating: 0, count: 100_000), film: film)
        let asked = Notes()
        let file = FilePieces([], count: bytes.count) { offset, count in
            asked.add(offset)
            return Array(bytes.dropFirst(offset).prefix(count))
        }
        #expect(try pool.video(in: WorkerFile(file)) == bytes.count - film.count..<bytes.count)
        #expect(asked.all == [0, bytes.count - film.count + 4])
        let beside = Encode.jpeg(.quadrants(40, 30))
        let found = try pool.preview(in: WorkerFile(FilePieces(Encode.jpeg(.quadrants(400, 300)))) { beside })
        #expect(found.thumbnail?.width == 40 && found.width == 400)
    }

    @Test("a worker finds RAW excerpts and embedded videos like this process")
    func excerpts() throws {
        let pool = pool()
        defer { pool.close() }
        let size = ThumbnailSize(width: 100, height: 100)
        for (name, bytes) in RAWTests.files {
            let here = try RAWPicture(FilePieces(bytes))
            let excerpt = try pool.excerpt(of: WorkerFile(FilePieces(bytes)), for: size)
            #expect(
                excerpt == here.excerpt(for: size.size(forPicture: here.upright.width, here.upright.height)), "\(name)")
        }
        let picture = Picture.jpeg(30, 20)
        #expect(try pool.excerpt(of: WorkerFile(FilePieces(picture)), for: size).isEmpty)
        let moving = Picture.motionPhoto(picture, film: Movie().bytes)
        let place = try pool.video(in: WorkerFile(FilePieces(moving)))
        #expect(Array(moving[place]) == Movie().bytes)
        #expect(try pool.video(in: WorkerFile(FilePieces(picture))).isEmpty)
    }

    @Test("files in a folder that does not respond do not delay other files")
    func hanging() async throws {
        let pool = pool()
        defer { pool.close() }
        let raw = RAWTests.files[0].bytes
        let (reading, ended, response) = (Notes(), Notes(), DispatchSemaphore(value: 0))
        for number in 0..<4 {
            DispatchQueue.global().async {
                let file = FilePieces([], count: raw.count) { offset, count in
                    // The beginning arrives, and then nothing.
                    if offset == 0 { return Array(raw.prefix(min(count, 20))) }
                    reading.add(number)
                    response.wait()
                    return []
                }
                _ = try? pool.preview(in: WorkerFile(file))
                ended.add(number)
            }
        }
        try await eventually("all files hang") { Set(reading.all).count == 4 }
        #expect(try pool.preview(in: WorkerFile(FilePieces(photograph()))).thumbnail != nil)
        for _ in 0..<1_000 { response.signal() }
        try await eventually("the files are given up") { ended.all.count == 4 }
    }

    @Test("each 67-megapixel picture waits for the caller's turn, and a small one does not")
    func large() async throws {
        let pool = pool()
        let renderer = Renderer(pool)
        let turns = Notes()
        let side: Int32 = 8_200
        let pixels = [UInt8](repeating: 200, count: Int(side) * Int(side))
        var output: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let encoder = tjInitCompress()
        defer {
            tjFree(output)
            tjDestroy(encoder)
        }
        tjCompress2(
            encoder, pixels, side, side, side, Int32(TJPF_GRAY.rawValue), &output, &count, Int32(TJSAMP_GRAY.rawValue),
            75,
            TJFLAG_FASTDCT)
        let large = [UInt8](UnsafeBufferPointer(start: output, count: Int(count)))
        let size = ThumbnailSize(width: 60, height: 40)
        async let first = renderer.render(large, size: size) { turns.add(1) }
        async let second = renderer.render(large, size: size) { turns.add(2) }
        let small = try await renderer.render(Encode.jpeg(.quadrants()), size: size) { turns.add(3) }
        #expect(small.sourceWidth != Int(side))
        for thumbnail in [try await first, try await second] { #expect(thumbnail.sourceWidth == Int(side)) }
        #expect(pool.processes.count <= 2 && turns.all.sorted() == [1, 2])
        await #expect(throws: RenderError.cancelled) {
            try await renderer.render(large, size: size) { () throws(CancellationError) in throw CancellationError() }
        }
        await renderer.shutdown()
    }
}
