import Glibc

/// Starts processes through `posix_spawn` with no blocked signals and with redirected standard streams.
enum Spawn {
    /// - Parameter input: descriptor that becomes standard input. `nil` for `/dev/null`.
    static func start(
        _ executable: String, _ arguments: [String], environment: [String: String], input: Int32?, output: Int32,
        errors: Int32
    ) throws(Child.Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let words = ([executable] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, executable, &actions, &attributes, words, variables)
        guard result == 0 else { throw Child.Failure(description: "\(executable) does not start: errno \(result)") }
        return process
    }
}
