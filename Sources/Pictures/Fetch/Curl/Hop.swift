import CCurl
import Threads

/// The state of the hop that a transfer is on.
struct Hop {
    var isStarted = false
    /// The connection stands; before, libcurl's connect timeout rules.
    var isConnected = false
    /// When a byte came last, or the hop began.
    var lastActivity = ContinuousClock.now
    var remote: IPAddress?
    /// The first address refused, and whether any was not.
    var refused: (address: IPAddress, kind: AddressKind)?
    var hasAllowedAddress = false

    var head = ResponseHead()
    var use = BodyUse.none
    var resume: PartialBody?
    var body: [UInt8] = []
    var discarded = 0

    /// The callbacks' error; it takes precedence over libcurl's result.
    var failure: FetchError?
    var wantsRestart = false
    var isEnough = false
    /// Bytes after which the body is no longer needed now.
    var stopsAt: Int?
    var isBeginning = false

    /// libcurl's figures, once the hop has ended.
    var info = ccurl_info()

    var isReused: Bool { isConnected && info.new_connections == 0 }

    /// How many bytes of the body were held before this hop.
    var resumedAt: Int { if case .keep(let offset) = use { offset } else { 0 } }
}
