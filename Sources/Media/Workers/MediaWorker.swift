import CImageCodecs
import Glibc
import Numbers

/// The main function of a worker process, which reads and decodes untrusted files. Reads limits and orders, then requests, from the socket
/// that is its standard input, and replies there until the input ends. Before the first request, it gives up all other access: see
/// ``Sandbox``.
public struct MediaWorker {
    /// First argument with which the program's `main` must call `run()`.
    public static let command = "media-worker"
    /// Exit code of a worker that requires a sandbox and could not enter it.
    static let noSandbox: Int32 = 77

    /// Reads the facts of open files and sends them, in one or more frames. Returns false if the request is malformed.
    package typealias ReadFacts = (
        _ request: inout FrameReader, _ descriptors: [Int32], _ send: (FrameWriter, _ isLast: Bool) -> Bool
    ) -> Bool

    private let connection: WorkerConnection
    private let renderer: PictureRenderer
    private let memory: ResidentMemory
    private let readFacts: ReadFacts

    /// Runs until the server closes the connection. Returns the process's exit code.
    package static func run(_ readFacts: @escaping ReadFacts) -> Int32 {
        // Reads the time zone's file now. Later the zone's name is cleared, and the sandbox refuses the file.
        tzset()
        let connection = WorkerConnection(socket: 0)
        guard var hello = connection.readFrame()?.frame, let limits = RenderLimits(&hello),
            let orders = WorkerOrders(&hello)
        else { return 64 }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        limit(limits.workerMemory, of: limits)
        ImageProcessReturnMemory()
        _ = ImageHEIFPrepare()
        ImageProcessForgetCode()
        ImageProcessReleaseCode()
        let memory = ResidentMemory()
        let report = Sandbox.enter(orders.layers)
        if orders.triesSandbox { return trySandbox(report, connection) }
        guard report.hasEveryLayer || !orders.requiresSandbox else { return noSandbox }
        let worker = MediaWorker(
            connection: connection, renderer: PictureRenderer(limits: limits), memory: memory, readFacts: readFacts)
        while let (request, descriptors) = connection.readFrame() {
            let isHandled = worker.handle(request, descriptors)
            for descriptor in descriptors { close(descriptor) }
            guard isHandled else { return 65 }
        }
        return 0
    }

    /// Handles a request and replies. Returns false if the request is malformed or the reply cannot be sent.
    private func handle(_ request: FrameReader, _ descriptors: [Int32]) -> Bool {
        var request = request
        guard let kind = request.number().flatMap(WorkerRequest.Kind.init) else { return false }
        // The server kills a worker that hangs. If the server itself is gone, the alarm ends the worker.
        alarm(UInt32(clamping: min(3600, max(1, limits.wallTime.rounded(.up) + 1))))
        Self.limit(limits.workerMemory, of: limits)
        Self.limit(seconds: limits.cpuTime)
        defer {
            Self.limit(seconds: 0)
            alarm(0)
        }
        switch kind {
        case .thumbnail: return sendThumbnail(&request)
        case .preview:
            guard let file = file(&request) else { return false }
            // The file may be a HEIC.
            Self.limit(limits.heifWorkerMemory, of: limits)
            let found = renderer.preview(in: file) { ask(.beside) }
            return send { found.write(to: &$0) }
        case .previewInBeginning:
            guard let beginning = request.number().flatMap(connection.readBytes) else { return false }
            let found = renderer.preview(inBeginning: beginning)
            return send { found.write(to: &$0) }
        case .excerpt:
            guard let file = file(&request), let width = request.number(), let height = request.number() else {
                return false
            }
            let excerpt = PictureRenderer.excerpt(of: file, for: ThumbnailSize(width: width, height: height))
            return send { $0.blob(excerpt ?? []) }
        case .video:
            guard let file = file(&request) else { return false }
            let place = VideoFile.place(in: file)
            return send {
                $0.number(place?.lowerBound ?? 0)
                $0.number(place?.count ?? 0)
            }
        case .facts:
            return readFacts(&request, descriptors) { facts, isLast in
                var frame = FrameWriter()
                (isLast ? WorkerReply.last(residentBytes: memory.bytes) : .part).write(to: &frame)
                frame.append(facts)
                return connection.write(frame.frame())
            }
        }
    }

    private var limits: RenderLimits { renderer.limits }

    private func sendThumbnail(_ request: inout FrameReader) -> Bool {
        guard let count = request.number(), let width = request.number(), let height = request.number(),
            let format = request.number().flatMap(UInt8.init(exactly:)).flatMap(ThumbnailFormat.init),
            let quality = request.number(), let smallSide = request.number(), let partial = request.number(),
            let mayBeLarge = request.number(), let picture = connection.readBytes(count)
        else { return false }
        let header = try? PictureHeader(picture)
        let pixels = header?.pixels ?? 0
        if pixels > RenderLimits.largePixels, mayBeLarge == 0 { return send { ThumbnailReply.large.write(to: &$0) } }
        let isCodedAsVideo = [.heic, .avif, .jxl, .video].contains(header?.kind)
        if isCodedAsVideo { Self.limit(limits.heifWorkerMemory, of: limits) }
        Self.limit(seconds: limits.cpuTime(pixels: pixels))
        let options = RenderOptions(
            format: format, quality: quality, smallSide: smallSide, acceptsPartial: partial != 0)
        let reply: ThumbnailReply
        do throws(RenderError) {
            reply = .thumbnail(
                try renderer.render(picture, size: ThumbnailSize(width: width, height: height), options: options))
        } catch {
            reply = .failure(error)
        }
        return send { reply.write(to: &$0) }
    }

    /// Returns the file of a request, which the server reads.
    private func file(_ request: inout FrameReader) -> FilePieces? {
        guard let count = request.number(), let beginning = request.number().flatMap(connection.readBytes) else {
            return nil
        }
        return FilePieces(beginning, count: count) { offset, count in ask(.bytes(offset: offset, count: count)) }
    }

    /// Asks the server for a part of the file. Returns nothing if the server is gone.
    private func ask(_ need: WorkerNeed) -> [UInt8] {
        var frame = FrameWriter()
        WorkerReply.needs(need).write(to: &frame)
        guard connection.write(frame.frame()), var answer = connection.readFrame()?.frame else { return [] }
        return answer.blob() ?? []
    }

    /// Sends the last frame of a reply.
    private func send(_ reply: (inout FrameWriter) -> Void) -> Bool {
        Self.limit(seconds: 0)
        if memory.bytes > limits.workerRetention / 2 { ImageProcessTrimMemory() }
        var frame = FrameWriter()
        WorkerReply.last(residentBytes: memory.bytes).write(to: &frame)
        reply(&frame)
        return connection.write(frame.frame())
    }

    /// Limits the CPU time of this process from now on. 0 removes the limit.
    private static func limit(seconds: Double) {
        ImageProcessLimitWork(seconds > 0 ? min(3600, max(0.01, seconds)) : 0)
    }

    /// Limits the address space of this process until the next call.
    private static func limit(_ bytes: Int, of limits: RenderLimits) {
        guard limits.workerMemory > 0 else { return }
        ImageProcessLimitMemory(max(bytes, limits.workerMemory), max(limits.heifWorkerMemory, limits.workerMemory))
    }

    /// Sends a frame with the layers, then a frame for each attempt. If running a program succeeds, that frame never arrives.
    private static func trySandbox(_ report: SandboxReport, _ connection: WorkerConnection) -> Int32 {
        var layers = FrameWriter()
        report.write(to: &layers)
        _ = connection.write(layers.frame())
        Sandbox.tryAll { attempt, error in
            var outcome = FrameWriter()
            outcome.text(attempt.rawValue)
            outcome.number(Int(error))
            _ = connection.write(outcome.frame())
        }
        return 0
    }
}
