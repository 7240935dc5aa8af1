import CImageCodecs
import Glibc

/// The body of a worker process that is given open files: as ``RenderWorker``, but what it answers is its caller's.
package enum DescriptorWorker {
    /// Bytes of a request, at most.
    private static let longestRequest = 16 << 20

    /// Runs until the server lets go. Returns the process's exit code.
    ///
    /// - Parameter answer: answers a request about files that are closed afterwards, in one frame or several; `false` ends the
    ///   process.
    package static func run(
        _ answer: (inout FrameReader, [Int32], _ send: (FrameWriter) -> Bool) -> Bool
    ) -> Int32 {
        // Its file is read now: later the name of the zone is forgotten, and the sandbox refuses the file.
        tzset()
        let connection = WorkerConnection(socket: 0)
        guard var hello = connection.read().map(FrameReader.init), let limits = RenderLimits(&hello),
            let orders = WorkerOrders(&hello)
        else { return 64 }
        RenderWorker.confine(limits)
        ImageProcessForgetCode()
        ImageProcessLetGo()
        let report = Sandbox.enter(orders.layers, receivesDescriptors: true)
        guard report.hasEveryLayer || !orders.requiresSandbox else { return RenderWorker.noSandbox }
        while let (frame, descriptors) = connection.readFrame(most: longestRequest) {
            ImageProcessLimitWork(limits.cpuTime)
            var request = FrameReader(frame)
            guard answer(&request, descriptors, { connection.write($0.frame()) }) else { return 65 }
            for descriptor in descriptors { close(descriptor) }
            ImageProcessLimitWork(0)
        }
        return 0
    }
}
