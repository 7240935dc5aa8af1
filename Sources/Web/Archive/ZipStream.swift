import CZlib
import Glibc
import Synchronization

/// Writes a ZIP archive entry by entry. Each call returns the bytes to send next. Entries are stored without compression.
///
/// Uses ZIP64 if an entry or the archive is larger than 4 GiB, or if there are more than 65,534 entries. The name and 22 bytes of each
/// entry stay in memory until the end, when they become the directory.
package final class ZipStream: Sendable {
    /// The data of an entry does not have the announced size, or its name is longer than 65,535 bytes.
    package struct Failure: Error {}

    /// The lock allows one thread at a time.
    private let state = Mutex(ZipWriter())

    package init() {}

    /// Begins an entry and ends the previous one.
    ///
    /// - Parameters:
    ///   - size: size of the entry's data in bytes, 0 or more. The data follows.
    ///   - modified: seconds since 1970. Shown in local time, from 1980 to 2107.
    package func begin(_ name: String, size: Int, modified: Int64) throws(Failure) -> [UInt8] {
        try result { writer throws(Failure) in try writer.begin(Array(name.utf8), size: size, modified: modified) }
    }

    /// Counts further data of the entry. The caller sends the data unchanged.
    package func count(_ bytes: [UInt8]) throws(Failure) {
        _ = try result { writer throws(Failure) in
            try writer.count(bytes)
            return []
        }
    }

    /// Returns the next piece of the archive's end, about 256 KiB at most, or an empty array after the last piece.
    package func end() throws(Failure) -> [UInt8] { try result { writer throws(Failure) in try writer.end() } }

    private func result(_ write: (inout ZipWriter) throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
        try state.withLock { writer in Result { () throws(Failure) in try write(&writer) } }.get()
    }
}

/// Writes the records of APPNOTE.TXT 6.3.10 (PKWARE).
private struct ZipWriter: Sendable {
    /// An entry's data for the directory.
    private struct Entry {
        var name: [UInt8]
        var size: UInt64
        var modified: Int64
        var checksum: UInt32 = 0

        /// Whether the sizes need 64 bits.
        var isLarge: Bool { size >= UInt64(UInt32.max) }
        /// Size of the extended timestamp in bytes, or 0 if the time does not fit into one.
        var stampLength: Int { Int32(exactly: modified) == nil ? 0 : 9 }
        /// Bytes from this entry's header to that of the next entry.
        var length: UInt64 {
            UInt64(30 + name.count + (isLarge ? 20 : 0) + stampLength) + size + (isLarge ? 24 : 16)
        }
    }

    /// Maximum size in bytes of a piece of packed entries.
    private static let pieceLength = 64 << 10
    /// Flags: the name is UTF-8, and the checksum follows the data.
    private static let flags: UInt64 = 0x0808
    private static let madeBy: UInt64 = 3 << 8 | 45

    /// Packed entries.
    private var kept: [[UInt8]] = [[]]
    private var current: Entry?
    /// Number of bytes of the current entry that have not been counted.
    private var due: UInt64 = 0
    private var entryCount: UInt64 = 0
    /// Total size in bytes of everything before the directory.
    private var offset: UInt64 = 0

    // State of the directory while it is being written.
    private var nextPiece = 0
    private var entryOffset: UInt64 = 0
    private var directoryLength: UInt64 = 0
    private var isEnded = false

    mutating func begin(_ name: [UInt8], size: Int, modified: Int64) throws(ZipStream.Failure) -> [UInt8] {
        guard size >= 0, name.count <= UInt16.max, !isEnded else { throw ZipStream.Failure() }
        var bytes = try finishEntry()
        let entry = Entry(name: name, size: UInt64(size), modified: modified)
        let size = entry.isLarge ? UInt64(UInt32.max) : entry.size
        bytes.add(0x0403_4b50, 4)
        bytes.add(entry.isLarge ? 45 : 20, 2)
        bytes.add(Self.flags, 2)
        bytes.add(0, 2)
        bytes.add(Self.date(entry.modified), 4)
        bytes.add(0, 4)
        bytes.add(size, 4)
        bytes.add(size, 4)
        bytes.add(UInt64(entry.name.count), 2)
        bytes.add(UInt64((entry.isLarge ? 20 : 0) + entry.stampLength), 2)
        bytes += entry.name
        if entry.isLarge { Self.addLarge([entry.size, entry.size], to: &bytes) }
        Self.addStamp(of: entry, to: &bytes)
        current = entry
        due = entry.size
        return bytes
    }

    mutating func count(_ bytes: [UInt8]) throws(ZipStream.Failure) {
        guard current != nil, UInt64(bytes.count) <= due else { throw ZipStream.Failure() }
        due -= UInt64(bytes.count)
        let before = current?.checksum ?? 0
        current?.checksum = bytes.withUnsafeBufferPointer { czlib_crc32(before, $0.baseAddress, $0.count) }
    }

    mutating func end() throws(ZipStream.Failure) -> [UInt8] {
        if isEnded { return [] }
        var bytes = try finishEntry()
        if nextPiece < kept.count {
            let piece = kept[nextPiece]
            kept[nextPiece] = []
            nextPiece += 1
            let before = bytes.count
            addDirectory(of: piece, to: &bytes)
            directoryLength += UInt64(bytes.count - before)
        }
        // An archive without entries has one empty piece.
        guard nextPiece == kept.count else { return bytes }
        isEnded = true
        addEnd(to: &bytes)
        return bytes
    }

    /// Returns the checksum that follows the current entry's data, and stores the entry for the directory. Returns no bytes without a
    /// current entry.
    private mutating func finishEntry() throws(ZipStream.Failure) -> [UInt8] {
        guard let entry = current else { return [] }
        guard due == 0 else { throw ZipStream.Failure() }
        var bytes: [UInt8] = []
        bytes.add(0x0807_4b50, 4)
        bytes.add(UInt64(entry.checksum), 4)
        for _ in 0..<2 { bytes.add(entry.size, entry.isLarge ? 8 : 4) }
        keep(entry)
        current = nil
        return bytes
    }

    private mutating func keep(_ entry: Entry) {
        let last = kept.count - 1
        let length = 22 + entry.name.count
        if kept[last].count + length > Self.pieceLength, !kept[last].isEmpty {
            kept.append([])
        }
        let place = kept.count - 1
        kept[place].add(UInt64(entry.name.count), 2)
        kept[place] += entry.name
        kept[place].add(entry.size, 8)
        kept[place].add(UInt64(bitPattern: entry.modified), 8)
        kept[place].add(UInt64(entry.checksum), 4)
        entryCount += 1
        offset += entry.length
    }

    private mutating func addDirectory(of piece: [UInt8], to bytes: inout [UInt8]) {
        var rest = piece[...]
        while !rest.isEmpty {
            let nameLength = Int(rest.take(2))
            let name = Array(rest.prefix(nameLength))
            rest = rest.dropFirst(nameLength)
            let size = rest.take(8)
            var entry = Entry(name: name, size: size, modified: Int64(bitPattern: rest.take(8)))
            entry.checksum = UInt32(truncatingIfNeeded: rest.take(4))
            add(entry, to: &bytes)
        }
    }

    private mutating func add(_ entry: Entry, to bytes: inout [UInt8]) {
        let maximum = UInt64(UInt32.max)
        let large = (entry.isLarge ? [entry.size, entry.size] : []) + (entryOffset >= maximum ? [entryOffset] : [])
        let largeLength = large.isEmpty ? 0 : 4 + 8 * large.count
        bytes.add(0x0201_4b50, 4)
        bytes.add(Self.madeBy, 2)
        bytes.add(large.isEmpty ? 20 : 45, 2)
        bytes.add(Self.flags, 2)
        bytes.add(0, 2)
        bytes.add(Self.date(entry.modified), 4)
        bytes.add(UInt64(entry.checksum), 4)
        for _ in 0..<2 { bytes.add(min(entry.size, maximum), 4) }
        bytes.add(UInt64(entry.name.count), 2)
        bytes.add(UInt64(largeLength + entry.stampLength), 2)
        bytes.add(0, 6)  // no comment, first disk, not marked as text
        bytes.add(0o100644 << 16, 4)
        bytes.add(min(entryOffset, maximum), 4)
        bytes += entry.name
        if !large.isEmpty { Self.addLarge(large, to: &bytes) }
        Self.addStamp(of: entry, to: &bytes)
        entryOffset += entry.length
    }

    private func addEnd(to bytes: inout [UInt8]) {
        let maximum = UInt64(UInt32.max)
        if entryCount >= UInt64(UInt16.max) || offset >= maximum || directoryLength >= maximum {
            bytes.add(0x0606_4b50, 4)
            bytes.add(44, 8)
            bytes.add(Self.madeBy, 2)
            bytes.add(45, 2)
            bytes.add(0, 8)
            for value in [entryCount, entryCount, directoryLength, offset] { bytes.add(value, 8) }
            bytes.add(0x0706_4b50, 4)
            bytes.add(0, 4)
            bytes.add(offset + directoryLength, 8)
            bytes.add(1, 4)
        }
        bytes.add(0x0605_4b50, 4)
        bytes.add(0, 4)
        for _ in 0..<2 { bytes.add(min(entryCount, UInt64(UInt16.max)), 2) }
        bytes.add(min(directoryLength, maximum), 4)
        bytes.add(min(offset, maximum), 4)
        bytes.add(0, 2)
    }

    /// Adds the extra field with 64-bit values.
    private static func addLarge(_ values: [UInt64], to bytes: inout [UInt8]) {
        bytes.add(1, 2)
        bytes.add(UInt64(8 * values.count), 2)
        for value in values { bytes.add(value, 8) }
    }

    /// Adds the extra field with the time in UTC.
    private static func addStamp(of entry: Entry, to bytes: inout [UInt8]) {
        guard let seconds = Int32(exactly: entry.modified) else { return }
        bytes.add(0x5455, 2)
        bytes.add(5, 2)
        bytes.add(1, 1)
        bytes.add(UInt64(UInt32(bitPattern: seconds)), 4)
    }

    /// Returns a time in MS-DOS format: local time with a resolution of two seconds.
    private static func date(_ modified: Int64) -> UInt64 {
        var seconds = time_t(modified)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil, local.tm_year >= 80 else { return 1 << 21 | 1 << 16 }
        let year = UInt64(min(local.tm_year - 80, 127))
        let day = year << 9 | UInt64(local.tm_mon + 1) << 5 | UInt64(local.tm_mday)
        let time = UInt64(local.tm_hour) << 11 | UInt64(local.tm_min) << 5 | UInt64(min(local.tm_sec, 59) / 2)
        return day << 16 | time
    }
}

extension [UInt8] {
    /// Appends the lowest `count` bytes of a value, lowest byte first.
    fileprivate mutating func add(_ value: UInt64, _ count: Int) {
        for place in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the next value, stored with the lowest byte first.
    fileprivate mutating func take(_ count: Int) -> UInt64 {
        let value = prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self = dropFirst(count)
        return value
    }
}
