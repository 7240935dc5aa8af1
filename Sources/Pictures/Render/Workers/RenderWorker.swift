import CImageCodecs
import Glibc
import Numbers
import PhotoFacts

/// The main function of a worker process. Reads limits and orders, then pictures, from the socket that is its standard input, and replies
/// there until the input ends. Before the first picture, it gives up all other access: see ``Sandbox``.
public enum RenderWorker {
    /// First argument with which the program's `main` must call ``run()``.
    public static let command = "render-worker"
    /// Exit code of a worker that requires a sandbox and could not enter it.
    static let noSandbox: Int32 = 77

    /// Runs until the renderer closes the connection. Returns the process's exit code.
    public static func run() -> Int32 {
        _ = ImageProcessDieWithParent()
        let connection = WorkerConnection(socket: 0)
        guard var hello = connection.read().map(FrameReader.init), let limits = RenderLimits(&hello),
            let orders = WorkerOrders(&hello)
        else { return 64 }
        confine(limits)
        ImageProcessReturnMemory()
        if orders.readsHEIF { _ = ImageHEIFPrepare() }
        ImageProcessForgetCode()
        ImageProcessReleaseCode()
        let memory = ResidentMemory()
        let report = Sandbox.enter(orders.layers)
        if orders.triesSandbox { return trySandbox(report, connection) }
        guard report.hasEveryLayer || !orders.requiresSandbox else { return noSandbox }
        let renderer = PictureRenderer(limits: limits)
        while serve(connection, renderer, memory) {}
        return 0
    }

    /// Renders one picture and replies. Returns false if there are no more requests.
    private static func serve(
        _ connection: WorkerConnection, _ renderer: PictureRenderer, _ memory: ResidentMemory
    ) -> Bool {
        guard let length = connection.readLength(), length >= RenderRequest.length,
            var frame = connection.readBytes(RenderRequest.length).map(FrameReader.init),
            let request = RenderRequest(&frame), request.byteCount == length - RenderRequest.length,
            let picture = connection.readBytes(request.byteCount)
        else { return false }
        // The renderer kills a worker that hangs. If the renderer itself is gone, the alarm ends the worker.
        alarm(UInt32(clamping: min(3600, max(1, renderer.limits.wallTime.rounded(.up) + 1))))
        ImageProcessLimitWork(min(3600, max(0.01, renderer.limits.cpuTime(of: picture))))
        var result: Result<Thumbnail, RenderError>
        do throws(RenderError) {
            result = .success(try renderer.render(picture, size: request.size, options: request.options))
        } catch {
            result = .failure(error)
        }
        ImageProcessLimitWork(0)
        alarm(0)
        if memory.bytes > renderer.limits.workerRetention / 2 { ImageProcessTrimMemory() }
        var response = FrameWriter()
        RenderResponse(result: result, residentBytes: memory.bytes).write(to: &response)
        return connection.write(response.frame())
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

    static func confine(_ limits: RenderLimits) {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        if limits.workerMemory > 0 { ImageProcessLimitMemory(limits.workerMemory) }
    }
}

/// The main function of a worker process that receives open files. Works like ``RenderWorker``, but a closure handles the requests.
package enum DescriptorWorker {
    /// Maximum length of a request, in bytes.
    private static let longestRequest = 16 << 20

    /// Runs until the server closes the connection. Returns the process's exit code.
    ///
    /// - Parameter response: handles a request and sends one or more frames. The request's files are closed afterwards. `false` ends the
    ///   process.
    package static func run(
        _ response: (inout FrameReader, [Int32], _ send: (FrameWriter) -> Bool) -> Bool
    ) -> Int32 {
        // Reads the time zone's file now. Later the zone's name is cleared, and the sandbox refuses the file.
        tzset()
        let connection = WorkerConnection(socket: 0)
        guard var hello = connection.read().map(FrameReader.init), let limits = RenderLimits(&hello),
            let orders = WorkerOrders(&hello)
        else { return 64 }
        RenderWorker.confine(limits)
        ImageProcessForgetCode()
        ImageProcessReleaseCode()
        let report = Sandbox.enter(orders.layers, receivesDescriptors: true)
        guard report.hasEveryLayer || !orders.requiresSandbox else { return RenderWorker.noSandbox }
        while let (frame, descriptors) = connection.readFrame(maximum: longestRequest) {
            ImageProcessLimitWork(limits.cpuTime)
            var request = FrameReader(frame)
            guard response(&request, descriptors, { connection.write($0.frame()) }) else { return 65 }
            for descriptor in descriptors { close(descriptor) }
            ImageProcessLimitWork(0)
        }
        return 0
    }
}
