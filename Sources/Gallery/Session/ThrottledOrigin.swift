import Catalog

/// An origin that the server runs itself, behind a network that is slow on purpose: the demo's.
package protocol ThrottledOrigin: Sendable {
    /// Its conditions, counts and latest requests: the body of `GET demo/origin`.
    ///
    /// - Parameters:
    ///   - concurrency: how many downloads at once the server allows itself.
    ///   - isChangeable: whether the client may change the conditions.
    func document(concurrency: Int, isChangeable: Bool) -> [UInt8]

    /// Changes the conditions that are named.
    ///
    /// - Throws: 422 that names the field.
    func change(_ fields: FieldReader) throws(Problem)

    /// Opens a lane to the pictures of a gallery.
    ///
    /// - Parameters:
    ///   - share: part of the bandwidth, `0.01 ... 1`.
    /// - Returns: `nil` where the pictures are not of this origin.
    func openLane(to catalog: Catalog, share: Double) -> (any OriginLane)?
}

/// A line to a ``ThrottledOrigin`` that one session has for itself, with a part of the bandwidth that nobody else draws on.
package protocol OriginLane: Sendable {
    /// Part of the bandwidth, `0.01 ... 1`.
    var share: Double { get }
    /// The same pictures, fetched through the lane.
    var catalog: Catalog { get }
    /// Aborts the requests under way. Its addresses are 404 from now on.
    func close()
}
