// swift-tools-version: 6.2
import PackageDescription

// The programs that Lookahead is measured beside. A package of its own, so that the product depends on none of them.
let package = Package(
    name: "peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1"))
    ],
    targets: [
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .executableTarget(name: "vips-thumbnails", dependencies: ["CVips"]),
        .executableTarget(
            name: "hummingbird-peer", dependencies: [.product(name: "Hummingbird", package: "hummingbird")]),
    ],
    swiftLanguageModes: [.v6]
)
