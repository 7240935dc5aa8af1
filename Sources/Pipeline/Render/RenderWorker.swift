import CImageCodecs
import Glibc

/// The body of a worker process: reads limits, then pictures, from standard input and writes an answer to each to
/// standard output, until the input ends.
public enum RenderWorker {
    /// Runs until the renderer lets go. Returns the process's exit code.
    public static func run() -> Int32 {
        // What a library prints must not end up among the answers.
        let output = dup(1)
        guard output >= 0 else { return 70 }
        dup2(2, 1)
        _ = ImageProcessDieWithParent()
        let connection = WorkerConnection(input: 0, output: output)
        guard var hello = connection.read().map(FrameReader.init), let limits = RenderLimits(&hello) else {
            return 64
        }
        confine(limits)
        ImageProcessReturnMemory()
        ImageProcessForgetCode()
        let renderer = PictureRenderer(limits: limits)
        while serve(connection, renderer) {}
        return 0
    }

    /// Answers one request; false when there are no more.
    private static func serve(_ connection: WorkerConnection, _ renderer: PictureRenderer) -> Bool {
        guard let length = connection.readLength(), length >= RenderRequest.length,
            var frame = connection.readBytes(RenderRequest.length).map(FrameReader.init),
            let request = RenderRequest(&frame), request.byteCount == length - RenderRequest.length,
            let picture = connection.readBytes(request.byteCount)
        else { return false }
        // The renderer kills a worker that hangs; should it be gone itself, the alarm does.
        alarm(UInt32(min(3600, max(1, renderer.limits.wallTime.rounded(.up) + 1))))
        ImageProcessLimitWork(min(3600, max(0.01, renderer.limits.cpuTime)))
        var result: Result<Thumbnail, RenderError>
        do throws(RenderError) {
            result = .success(try renderer.render(picture, size: request.size, options: request.options))
        } catch {
            result = .failure(error)
        }
        ImageProcessLimitWork(0)
        alarm(0)
        if residentBytes() > renderer.limits.workerRetention / 2 { ImageProcessTrimMemory() }
        var answer = FrameWriter()
        RenderAnswer(result: result, residentBytes: residentBytes()).write(to: &answer)
        return connection.write(answer.frame())
    }

    private static func confine(_ limits: RenderLimits) {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        if limits.workerMemory > 0 { ImageProcessLimitMemory(limits.workerMemory) }
    }

    /// Resident memory, the second number of `/proc/self/statm`, in pages.
    private static func residentBytes() -> Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        let fields = text.prefix(max(0, count)).split(separator: 0x20)
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * Int(getpagesize())
    }
}
