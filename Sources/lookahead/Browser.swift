import Foundation
import Glibc
import Threads

/// The default browser of the user who started the server.
enum Browser {
    /// Opens a page through the desktop (`xdg-open`, which follows `BROWSER` and the desktop's own choice). Never waits for the
    /// browser.
    ///
    /// - Parameter warn: receives a sentence if the desktop cannot open the page.
    static func open(_ address: String, warn: @escaping @Sendable (String) -> Void) {
        let advice = "could not open a browser: open \(address) yourself"
        guard let process = start(["xdg-open", address]) else { return warn(advice) }
        // A browser may stay in the foreground for as long as it runs.
        try? SystemThread.detach("browser") {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return } }
            if status != 0 { warn(advice) }
        }
    }

    /// Starts a program from the search path. Returns its process id, or `nil` if it cannot be started.
    private static func start(_ words: [String]) -> pid_t? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The process starts with the signal mask and handlers that a shell would give it.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        // Scripts read the server's standard output, so the browser must not write to it.
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, words[0], &files, &attributes, &arguments, environ)
        return result == 0 ? process : nil
    }
}
