import CMicroHTTPD
import Threads

extension Engine {
    /// C callbacks of the engine. Each finds its Swift objects and forwards the call. An exchange is retained once, in `opened`, and
    /// released in `closed`.
    static var callbacks: micro_callbacks {
        micro_callbacks(
            owner: nil,
            opened: { owner, _, fd, address in
                guard let owner else { return nil }
                return Unmanaged.passRetained(Engine.at(owner).opened(fd, address)).toOpaque()
            },
            closed: { owner, context in
                guard let owner, let context else { return }
                Engine.at(owner).closed(Unmanaged<Exchange>.fromOpaque(context).takeRetainedValue())
            },
            received: { owner, context, bytes, count in
                guard let owner, let context, let bytes else { return 1 }
                let piece = UnsafeRawBufferPointer(start: bytes, count: count)
                return Engine.at(owner).received(Exchange.at(context), piece) ? 1 : 0
            },
            failed: { owner, context, status in
                guard let owner, let context else { return }
                Engine.at(owner).failed(Exchange.at(context), Int(status))
            },
            target: { owner, context, target in
                guard let context, let target else { return }
                Exchange.at(context).beginTarget(target)
            },
            access: { owner, context, connection, method, version, data, size in
                guard let owner, let context, let connection, let method, let version, let size else { return 0 }
                return Engine.at(owner).access(Exchange.at(context), connection, method, version, data, &size.pointee)
                    ? 1 : 0
            },
            completed: { owner, context, _ in
                guard let owner, let context else { return }
                Engine.at(owner).completed(Exchange.at(context))
            },
            log: { owner, message in
                guard let owner, let message else { return }
                let text = String(cString: message)
                // The library logs this message for every socket handed over.
                if text.contains("Application reported internal error") { return }
                Engine.at(owner).logger.write("libmicrohttpd: " + text)
            },
            refused: { owner, address in
                guard let owner, let address else { return }
                Engine.at(owner).admission.leaveConnection(Peer(address))
            })
    }

    private static func at(_ pointer: UnsafeMutableRawPointer) -> Engine {
        Unmanaged<Engine>.fromOpaque(pointer).takeUnretainedValue()
    }
}

extension Exchange {
    fileprivate static func at(_ pointer: UnsafeMutableRawPointer) -> Exchange {
        Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Copies the target, because the library is about to change it in place.
    func beginTarget(_ text: UnsafePointer<CChar>) {
        var length = 0
        while text[length] != 0 { length += 1 }
        target.removeAll(keepingCapacity: true)
        target.append(contentsOf: UnsafeRawBufferPointer(start: text, count: length))
        let now = ContinuousClock.now
        progress.withLock { progress in
            guard progress.phase != .cut else { return }
            progress.phase = .receiving
            progress.since = now
            progress.received = 0
            progress.hasRequested = true
        }
    }
}
