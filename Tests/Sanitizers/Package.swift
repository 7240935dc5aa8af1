// swift-tools-version: 6.1
import PackageDescription

// The rooms that hold threads, without those that need other packages: quick to build under a sanitizer. Only
// `Tests/sanitize.sh` builds it, on a copy of the tree.
let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")

let package = Package(
    name: "sanitized",
    dependencies: [.package(url: "https://github.com/apple/swift-collections", .upToNextMinor(from: "1.6.0"))],
    targets: [
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("z")]),
        .target(name: "CMicroHTTPDHooks", dependencies: ["CMicroHTTPD"]),
        .target(
            name: "CImageCodecs",
            linkerSettings: ["turbojpeg", "jpeg", "png", "webp", "webpdemux", "gif", "lcms2"].map { .linkedLibrary($0) }
        ),
        .target(name: "JSON", swiftSettings: strict),
        .target(name: "BoundedCache", swiftSettings: strict),
        .target(name: "TaskPool", dependencies: ["BoundedCache", heap], swiftSettings: strict),
        .target(name: "Viewport", swiftSettings: strict),
        .target(name: "Trace", dependencies: ["JSON", "Viewport", deque], swiftSettings: strict),
        .target(name: "Threads", dependencies: [heap], swiftSettings: strict),
        .target(
            name: "MicroHTTP", dependencies: ["CMicroHTTPD", "Threads"], swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["JSON", "CImageCodecs", "CMicroHTTPDHooks"], path: "Tests/Support",
            exclude: ["Server"], swiftSettings: strict),
        .testTarget(
            name: "TaskPoolTests", dependencies: ["TaskPool", "Trace", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "MicroHTTPTests", dependencies: ["MicroHTTP", "Trace", "TestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
