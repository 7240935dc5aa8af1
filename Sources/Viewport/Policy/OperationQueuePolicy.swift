extension PolicyName {
    /// See `OperationQueuePolicy`.
    public static let operationQueue = OperationQueuePolicy.name
}

/// Asynchronous cell loading with an operation queue (WWDC 2012, session 211). Each visible cell has an operation, which is
/// cancelled when the cell leaves the view. Fetches nothing ahead.
package struct OperationQueuePolicy: Policy {
    package static let name = PolicyName("operation-queue")
    package static let summary = "Visible items only; cancels those that leave the view."

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {}
}
