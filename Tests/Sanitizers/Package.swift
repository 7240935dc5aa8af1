// swift-tools-version: 6.1
import PackageDescription

// The rooms that hold threads, without those that need other packages: quick to build under a sanitizer. Only
// `Tests/sanitize.sh` builds it, on a copy of the tree.
let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")

let package = Package(
    name: "sanitized",
    dependencies: [.package(url: "https://github.com/apple/swift-collections", .upToNextMinor(from: "1.6.0"))],
    targets: [
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("z")]),
        .target(name: "CEpoll"),
        .target(name: "CMicroHTTPDHooks", dependencies: ["CMicroHTTPD"]),
        .target(
            name: "CImageCodecs",
            linkerSettings: ["turbojpeg", "jpeg", "png", "webp", "webpdemux", "gif", "lcms2"].map { .linkedLibrary($0) }
        ),
        .target(name: "JSON", swiftSettings: strict),
        .target(name: "BoundedCache", swiftSettings: strict),
        .target(name: "Numbers", swiftSettings: strict),
        .target(name: "TaskPool", dependencies: ["BoundedCache", "Numbers", heap], swiftSettings: strict),
        .target(name: "Threads", dependencies: ["CEpoll", heap], swiftSettings: strict),
        .target(
            name: "MicroHTTP", dependencies: ["CMicroHTTPD", "Numbers", "Threads"], swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["JSON", "CImageCodecs", "CMicroHTTPDHooks"], path: "Tests/Support",
            exclude: ["Server", "Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "TaskPoolTests", dependencies: ["Numbers", "TaskPool", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "MicroHTTPTests", dependencies: ["MicroHTTP", "Numbers", "TestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
