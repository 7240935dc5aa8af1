import Glibc

/// One reader of an event stream. Of each line it looks at the beginning only, so that reading costs little more than the
/// kernel's part. It reads chunked bodies, too: a chunk's frame is no field, and no empty line.
open class LoadEvents: LoadSocket {
    private static let looked = 128

    private var line: [UInt8] = []
    private var length = 0
    private var name: [UInt8] = []
    private var data: [UInt8] = []
    /// Bytes of the body and of its framing.
    private(set) var bytes = 0
    /// The id of the last event that came whole.
    private(set) var lastID = 0
    private var nextID: Int?
    private var isHead = true
    private(set) var status = 0

    init(
        _ loop: LoadLoop, port: UInt16, path: String, lastEventID: Int? = nil, receiveBuffer: Int32? = nil
    ) throws {
        try super.init(loop, port: port, receiveBuffer: receiveBuffer)
        let resume = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        send(Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(resume)\r\n".utf8))
    }

    /// The stream's head has come.
    open func opened() {}

    /// An event has come to its end; `data` is the beginning of its data.
    open func event(_ name: [UInt8], _ data: [UInt8]) {}

    open override func received(_ bytes: UnsafeRawBufferPointer) {
        self.bytes += bytes.count
        guard let base = bytes.baseAddress else { return }
        var at = 0
        while at < bytes.count {
            guard let found = memchr(base + at, 10, bytes.count - at) else {
                take(bytes[at...])
                return
            }
            let end = UnsafeRawPointer(found) - base
            take(bytes[at..<end])
            at = end + 1
            finishLine()
        }
    }

    private func take(_ part: Slice<UnsafeRawBufferPointer>) {
        if line.count < Self.looked { line.append(contentsOf: part.prefix(Self.looked - line.count)) }
        length += part.count
    }

    private func finishLine() {
        defer {
            line.removeAll(keepingCapacity: true)
            length = 0
        }
        if isHead {
            if status == 0 { status = Int(String(decoding: line.dropFirst(9).prefix(3), as: UTF8.self)) ?? -1 }
            if line == [13] {
                isHead = false
                opened()
            }
        } else if length == 0 {
            lastID = nextID ?? lastID
            if !name.isEmpty || !data.isEmpty { event(name, data) }
            (name, data, nextID) = ([], [], nil)
        } else if line.starts(with: Self.dataField) {
            data = Array(line.dropFirst(Self.dataField.count))
        } else if line.starts(with: Self.nameField) {
            name = Array(line.dropFirst(Self.nameField.count))
        } else if line.starts(with: Self.idField) {
            nextID = Self.number(line[Self.idField.count...])
        }
    }

    private static let dataField = Array("data: ".utf8)
    private static let nameField = Array("event: ".utf8)
    private static let idField = Array("id: ".utf8)

    /// The decimal number that bytes begin with.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value: Int?
        for byte in bytes {
            guard (0x30...0x39).contains(byte) else { break }
            value = (value ?? 0) &* 10 &+ Int(byte - 0x30)
        }
        return value
    }
}
