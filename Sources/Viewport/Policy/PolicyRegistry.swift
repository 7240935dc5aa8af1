/// Every policy there is. Adding one means adding its file and its line here; the first is the default.
enum PolicyRegistry {
    static let standard: any Policy.Type = LookaheadPolicy.self

    static let policies: [any Policy.Type] = [
        standard,
        CollectionViewPolicy.self,
        OperationQueuePolicy.self,
        ScrollEndPolicy.self,
        ChromiumLazyPolicy.self,
        ImmichPolicy.self,
        PhotoKitPolicy.self,
        TexturePolicy.self,
        GlidePolicy.self,
        DwellPolicy.self,
    ]

    /// The policy called `name`: names come from this list, so there always is one.
    static func policy(_ name: PolicyName) -> any Policy.Type {
        policies.first { $0.name == name } ?? standard
    }
}
