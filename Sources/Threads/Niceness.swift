import Glibc

/// How far threads yield the processor to others: from 0, not at all, to 19.
///
/// Threads that fetch, look up and push pictures yield to those that answer requests: where processors are short, a scroll event
/// would else wait until all that the former ones asked for is done.
package enum Niceness {
    /// Of Swift's own threads once they work for the pool, and of those that read for it: a third of the weight of others.
    package static let pool: Int32 = 5

    private static let thread = __priority_which_t(PRIO_PROCESS.rawValue)

    /// Makes the calling thread, alone, at least so nice. It stays so: to take it back needs privileges.
    package static func raise(to niceness: Int32) {
        if getpriority(thread, 0) < niceness { setpriority(thread, 0, niceness) }
    }
}
