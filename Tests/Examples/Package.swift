// swift-tools-version: 6.1
import PackageDescription

/// Programs of about ten lines, each on one library of Lookahead and on nothing else. The documentation quotes them.
func example(_ name: String, on product: String) -> Target {
    .executableTarget(name: name, dependencies: [.product(name: product, package: "lookahead")], path: name)
}

let package = Package(
    name: "examples",
    dependencies: [.package(name: "lookahead", path: "../..")],
    targets: [
        example("ViewportExample", on: "Viewport"),
        example("CollectionViewExample", on: "Viewport"),
        example("TaskPoolExample", on: "TaskPool"),
        example("MicroHTTPExample", on: "MicroHTTP"),
        // A client of the JSON API needs none of them.
        .executableTarget(name: "ClientExample", path: "ClientExample"),
    ],
    swiftLanguageModes: [.v6]
)
