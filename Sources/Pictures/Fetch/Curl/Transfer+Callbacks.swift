import CCurl

extension Transfer {
    /// libcurl's callbacks. Each hands its arguments to the transfer at once and keeps none.
    static let callbacks = ccurl_callbacks(
        may_connect: { context, bytes, count, port in
            guard let context, let bytes,
                let address = IPAddress(networkOrder: UnsafeBufferPointer(start: bytes, count: count))
            else { return false }
            return Transfer.at(context).mayConnect(to: address, port: port)
        },
        connected: { context, address, port in
            guard let context, let address else { return false }
            return Transfer.at(context).connected(
                to: IPAddress(String(cString: address)), port: UInt16(clamping: port))
        },
        header: { context, bytes, count in
            guard let context else { return 0 }
            let line = UnsafeBufferPointer(start: bytes, count: count)
            // Any number but `count` aborts; a header line is never empty.
            return Transfer.at(context).receive(header: line) ? count : 0
        },
        body: { context, bytes, count in
            guard let context else { return 0 }
            let bytes = UnsafeBufferPointer(start: bytes, count: count)
            return Transfer.at(context).receive(body: bytes) ? count : count &+ 1
        })
}
