import Viewport

/// A chooser's instruction to the origin.
package enum Command {
    case start(Int)
    /// The beginning of a file alone, in which its preview is.
    case startHead(Int)
    /// The rest after the beginning.
    case startRest(Int)
    case abort(Int)
    /// A worker takes up what has come of an item.
    case render(Int)
}

/// Decides what is fetched: a policy with the real model and pool, or the oracle.
package protocol Chooser {
    /// When it wants `tick` to be called; nil: no need.
    var nextTick: Double? { get }
    /// The server hears where the content is. `received` tells what part of an item in flight has come.
    mutating func hear(_ sample: ScrollSample, now: Double, received: (Int) -> Double) -> [Command]
    mutating func tick(now: Double) -> [Command]
    /// The first byte of an item has come; `isNew` tells whether its connection was opened for it, nil where an abort
    /// would not have closed one.
    mutating func began(_ item: Int, afterWaiting delay: Double, isNew: Bool?, now: Double)
    /// The last byte of an item has come, or of that part of it which was asked for.
    mutating func finished(_ item: Int, bytes: Double, now: Double) -> [Command]
    /// A worker is done with an item.
    mutating func rendered(_ item: Int, now: Double) -> [Command]
    /// An item was aborted as asked, so many bytes having come; `began` unless it still waited for the first.
    mutating func aborted(_ item: Int, bytes: Double, began: Bool, now: Double)
    /// The items wanted now, for the record.
    var wanted: [Int] { get }
}
