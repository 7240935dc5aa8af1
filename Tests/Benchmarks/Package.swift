// swift-tools-version: 6.1
import PackageDescription

// The programs that Lookahead is measured beside. A package of its own, so that the product depends on none of them.
let package = Package(
    name: "peers",
    targets: [
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .executableTarget(name: "vips-thumbnails", dependencies: ["CVips"]),
    ],
    swiftLanguageModes: [.v6]
)
