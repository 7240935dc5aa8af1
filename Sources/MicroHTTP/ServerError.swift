import Glibc

/// Why a server does not start.
public enum ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A value of the configuration is out of range.
    case configuration(String)
    /// The address cannot be listened on; `code` is an errno.
    case cannotListen(address: String, port: UInt16, code: Int32)
    /// The installed libmicrohttpd closes sockets that were taken over from it.
    case handoffFails(version: String)
    /// The system refused something; `code` is an errno.
    case system(String, code: Int32)

    public var description: String {
        switch self {
        case .configuration(let problem):
            problem
        case .cannotListen(let address, let port, EADDRINUSE):
            "port \(port) of \(address) is in use: stop the program that listens there, or choose another port"
        case .cannotListen(let address, let port, EACCES):
            "port \(port) of \(address) needs privileges: choose a port above 1023"
        case .cannotListen(let address, let port, EADDRNOTAVAIL):
            "\(address) is not an address of this machine (port \(port)): choose another address"
        case .cannotListen(let address, let port, let code):
            "cannot listen on port \(port) of \(address): \(String(cString: strerror(code)))"
        case .handoffFails(let version):
            "libmicrohttpd \(version) closes sockets that were taken over from it, so event streams cannot work: "
                + "install version 0.9.75, the one in Debian 12"
        case .system(let what, let code):
            "\(what): \(String(cString: strerror(code)))"
        }
    }
}
