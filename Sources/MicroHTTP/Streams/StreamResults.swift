/// Why a stream ended.
public enum CloseReason: Sendable, Equatable, CaseIterable {
    /// The peer left.
    case peer
    /// The server closed it, with everything queued for it written.
    case finished
    /// The peer took nothing for too long.
    case stuck
    /// An event that must not be dropped did not fit into the queue.
    case overflow
    /// The peer sent data that it must not send.
    case flooded
    /// The server stopped before the peer took everything.
    case stopped
}

/// The outcome of sending an event or a piece of bytes.
public enum SendResult: Sendable, Equatable {
    /// All of it is with the kernel.
    case sent
    /// It waits for the reader.
    case queued
    /// It was left out: the reader is behind, and the event droppable.
    case dropped
    /// The stream is closed.
    case closed
}
