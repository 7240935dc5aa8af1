import Glibc

/// What a thread of the system runs.
final class ThreadBody: Sendable {
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Starts a thread, which must be joined.
    static func start(_ body: @escaping @Sendable () -> Void) throws(ServerError) -> pthread_t {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw ServerError.system("the system gives no thread", code: code)
        }
        return thread
    }
}
