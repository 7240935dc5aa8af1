import Glibc
import Threads

/// Receives the kernel's notices of changes in folders (inotify).
///
/// Used only by the thread that waits for changes.
final class FolderWatch {
    struct Change {
        var watch: Int32
        /// Whether the contents of the folder may have changed.
        var isContent: Bool
        /// Whether the folder itself was deleted or moved.
        var isGone: Bool
        /// Whether notices were lost, so that everything must be read again.
        var isOverflow: Bool
        /// Whether something was mounted or unmounted anywhere.
        var isMount = false
        /// Name of the file in the folder. Empty if the folder itself changed.
        var name = ""
    }

    private let descriptor: Int32
    /// Descriptor of the system's list of mounts, or -1 if it is not available.
    private let mounts: Int32
    private let folderOf: (Int32) -> String?
    /// New files that their writers have not closed yet.
    private var unclosed: Set<UnclosedFile> = []
    private static let maximumUnclosed = 4_096

    private struct UnclosedFile: Hashable {
        var watch: Int32
        var name: String
    }

    /// - Parameter folderOf: returns the path of the folder with a watch.
    init?(folderOf: @escaping (Int32) -> String?) {
        self.folderOf = folderOf
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        mounts = open("/proc/self/mounts", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if mounts >= 0 { close(mounts) }
            return nil
        }
    }

    deinit {
        close(descriptor)
        if mounts >= 0 { close(mounts) }
    }

    /// An error if the system has no watches left.
    struct NoneLeft: Error {}

    /// - Returns: `nil` if the folder is gone or cannot be read. Listing the folder reports the error.
    func add(_ path: String) throws(NoneLeft) -> Int32? {
        let mask =
            IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | Int32(bitPattern: UInt32(IN_ONLYDIR)) | Int32(bitPattern: UInt32(IN_EXCL_UNLINK))
        let watch = inotify_add_watch(descriptor, path, UInt32(bitPattern: mask))
        if watch < 0, errno == ENOSPC || errno == ENOMEM { throw NoneLeft() }
        return watch >= 0 ? watch : nil
    }

    func remove(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// - Parameter milliseconds: maximum wait. -1 means no limit.
    /// - Returns: `nil` if stopped. Empty after a timeout.
    func wait(_ milliseconds: Int32, _ stop: Wakeup) -> [Change]? {
        var requests = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            // `poll` reports a change of the mounts as an error, once.
            pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0),
        ]
        let count = poll(&requests, 3, milliseconds)
        if requests[1].revents != 0 { return nil }
        if count < 0 { return errno == EINTR ? [] : nil }
        if count == 0 { return [] }
        let mount = Change(watch: -1, isContent: false, isGone: false, isOverflow: false, isMount: true)
        return readAll() + (requests[2].revents != 0 ? [mount] : [])
    }

    /// Waits for a change, then until no more changes follow for a while. Some folders change all the time, so the second wait is limited.
    ///
    /// - Parameter options: times must be inside their ranges (``FolderOptions/clamped``).
    /// - Returns: `nil` if stopped. Empty if no change arrived within `options.checkInterval`.
    func collect(_ options: FolderOptions, _ stop: Wakeup) -> [Change]? {
        guard var changes = wait(Int32(clamping: options.checkInterval), stop) else { return nil }
        if changes.isEmpty { return [] }
        let deadline = ContinuousClock.now + .milliseconds(options.settleTime * 5)
        while ContinuousClock.now < deadline {
            guard let more = wait(Int32(clamping: options.settleTime), stop) else { return nil }
            if more.isEmpty { break }
            changes += more
        }
        return changes
    }

    private func readAll() -> [Change] {
        var changes: [Change] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return changes }
            var offset = 0
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= count {
                let event = UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = offset + header + Int(event.len)
                guard end <= count else { break }
                let name = buffer[(offset + header)..<end].prefix { $0 != 0 }
                changes.append(change(event, name: String(decoding: name, as: UTF8.self)))
                offset = end
            }
        }
    }

    private func change(_ event: inotify_event, name: String) -> Change {
        func has(_ flag: some BinaryInteger) -> Bool { event.mask & UInt32(truncatingIfNeeded: flag) != 0 }
        var isContent = has(IN_DELETE) || has(IN_MOVED_FROM) || has(IN_MOVED_TO) || has(IN_CLOSE_WRITE)
        let file = UnclosedFile(watch: event.wd, name: name)
        if isContent { unclosed.remove(file) }
        if has(IN_CREATE) {
            // A new file is shown after its writer closes it. A link or a folder is complete immediately.
            if has(IN_ISDIR) || isLink(name, in: event.wd) {
                isContent = true
            } else {
                if unclosed.count >= Self.maximumUnclosed { unclosed = [] }
                unclosed.insert(file)
            }
        }
        // Permissions changed, or an edit restored a time. A writer may set both on a new file before closing the file.
        if has(IN_ATTRIB), !unclosed.contains(file) { isContent = true }
        return Change(
            watch: event.wd, isContent: isContent,
            isGone: has(IN_DELETE_SELF) || has(IN_MOVE_SELF) || has(IN_UNMOUNT) || has(IN_IGNORED),
            isOverflow: has(IN_Q_OVERFLOW), name: name)
    }

    private func isLink(_ name: String, in watch: Int32) -> Bool {
        guard let folder = folderOf(watch) else { return false }
        var status = stat()
        guard lstat(FolderPath.join(folder, name), &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
    }
}
