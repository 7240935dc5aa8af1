// swift-tools-version: 6.1
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")

func room(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// Settings for tests. The tested code is optimised, the tests are not: optimising them takes longer than it saves at run time.
let unoptimized: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], settings: [SwiftSetting] = unoptimized
) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// Ubuntu 22.04 has no libjxl.
let hasJXL = FileManager.default.fileExists(atPath: "/usr/include/jxl/decode.h")

/// Optional formats and their libraries, by trait. Only one trait is on by default: SwiftPM 6.3 passes several traits to the compiler
/// in random order, and rebuilds everything when the order changes.
let optionalCodecs = [
    "Formats": (
        names: ["HEIF", "AVIF", "TIFF"] + (hasJXL ? ["JXL"] : []),
        libraries: ["heif", "de265", "avif", "tiff"] + (hasJXL ? ["jxl"] : [])
    ),
    "Video": (names: ["VIDEO"], libraries: ["avformat", "avcodec", "avutil"]),
]

let package = Package(
    name: "lookahead",
    products: [
        .executable(name: "lookahead", targets: ["lookahead"]),
        .library(name: "Viewport", targets: ["Viewport"]),
        .library(name: "TaskPool", targets: ["TaskPool"]),
        .library(name: "MicroHTTP", targets: ["MicroHTTP"]),
    ],
    traits: [
        .trait(
            name: "Formats",
            description: "Shows HEIC, AVIF, JPEG XL and TIFF, using libheif, libde265, libavif, libjxl and libtiff"),
        .trait(name: "Video", description: "Shows the first frames of MP4 and QuickTime videos, using libavcodec"),
        .default(enabledTraits: ["Formats"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-collections", .upToNextMinor(from: "1.6.0")),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
    ],
    targets: [
        // Modules for C libraries, with the shims that Swift needs to call them.
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("z")]),
        // For executables only: the hooks replace functions in the whole process.
        .target(name: "CMicroHTTPDHooks", dependencies: ["CMicroHTTPD"]),
        .target(name: "CEpoll"),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CLinux", linkerSettings: [.linkedLibrary("seccomp")]),
        .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
        .target(
            name: "CImageCodecs",
            cSettings: optionalCodecs.sorted { $0.key < $1.key }.flatMap { trait, codecs in
                codecs.names.map { .define("LOOKAHEAD_\($0)", .when(traits: [trait])) }
            },
            linkerSettings: ["turbojpeg", "jpeg", "png", "webp", "webpdemux", "gif", "lcms2"].map { .linkedLibrary($0) }
                + optionalCodecs.sorted { $0.key < $1.key }.flatMap { trait, codecs in
                    codecs.libraries.map { .linkedLibrary($0, .when(traits: [trait])) }
                }
        ),

        // Pure modules, without input or output.
        room("JSON"),
        room("BoundedCache"),
        room("Numbers"),
        room("Viewport", ["Numbers"]),
        room("TaskPool", ["BoundedCache", "Numbers", heap]),
        room("Replay", ["JSON", "Numbers", "Viewport", "TaskPool", deque, heap]),

        // Modules with input and output: threads, files, network.
        room("Threads", ["CEpoll", heap]),
        room("MicroHTTP", ["CMicroHTTPD", "Numbers", "Threads"]),
        .target(
            name: "Media", dependencies: ["CImageCodecs", "CLinux", "CZlib", "Numbers", "Threads"],
            swiftSettings: strict + (hasJXL ? [.define("LOOKAHEAD_JXL", .when(traits: ["Formats"]))] : [])),
        room("Fetch", ["Media", "CCurl", "BoundedCache", "Threads"]),
        room("Store", ["Media", "CLinux", "BoundedCache", "Threads", database, deque]),
        room("Cluster", ["CCrypto", "CZlib", "Numbers", "Media", "Fetch", "Store", "Threads", deque]),
        room(
            "Catalog",
            [
                "JSON", "BoundedCache", "Numbers", "Viewport", "Media", "Fetch", "Store", "Threads",
                "CLinux", database, deque,
            ]),
        room(
            "Thumbnails",
            [
                "JSON", "BoundedCache", "Numbers", "Viewport", "TaskPool", "Threads", "Media", "Fetch",
                "Store", "Catalog", "Cluster",
            ]),
        room(
            "Gallery",
            [
                "JSON", "Numbers", "Viewport", "TaskPool", "Threads", "MicroHTTP", "Media", "Fetch",
                "Store", "Catalog", "Cluster", "Thumbnails", "Replay",
                .product(name: "Logging", package: "swift-log"),
            ]),
        room(
            "Web",
            [
                "JSON", "Numbers", "Viewport", "TaskPool", "Threads", "MicroHTTP", "Media", "Fetch",
                "Store", "Catalog", "Cluster", "Thumbnails", "Gallery", "CZlib",
                .product(name: "Logging", package: "swift-log"),
            ]),

        // The demo: painted pictures, and their origin server.
        room(
            "Demo",
            [
                "JSON", "BoundedCache", "Numbers", "Viewport", "Threads", "MicroHTTP", "Media", "Fetch", "Catalog",
                "Gallery",
                "CImageCodecs",
            ]),

        // Code that both programs share: flags, errors, progress, signals, the location of the installation.
        room(
            "Terminal", ["Numbers", "Threads", "Media", "Store", "Catalog", "Gallery", "Demo", "Replay", arguments]),
        .executableTarget(
            name: "lookahead",
            dependencies: [
                "Replay", "Threads", "Media", "Fetch", "Catalog", "Gallery", "Web", "Demo", "Terminal", "CLinux",
                "CMicroHTTPDHooks", arguments,
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // The laboratory is not part of the product. It scores policies on generated scrolls, and runs the measurements.
        .target(
            name: "Scoring", dependencies: ["JSON", "Numbers", "Viewport", "Replay"], path: "Tests/Benchmarks/Scoring",
            swiftSettings: strict),
        .executableTarget(
            name: "lookahead-lab",
            dependencies: [
                "JSON", "Numbers", "Viewport", "Replay", "Scoring", "Threads", "MicroHTTP", "CMicroHTTPD",
                "CMicroHTTPDHooks", "Media", "CImageCodecs", "Catalog", "Gallery", "Web", "Demo",
                "Terminal", "TestSupport", arguments, heap,
            ],
            path: "Tests/Benchmarks/Lab", swiftSettings: strict),

        // Code that several test targets share: raw sockets, child processes, temporary folders, painted pictures, encoders.
        .target(
            name: "TestSupport", dependencies: ["JSON", "CImageCodecs", "CMicroHTTPDHooks"], path: "Tests/Support",
            exclude: ["Server", "Fixtures"], swiftSettings: strict),
        // Servers and origins whose responses a test holds back or writes.
        .target(
            name: "ServerFixtures",
            dependencies: [
                "Viewport", "MicroHTTP", "Media", "Catalog", "Cluster", "Gallery", "Web", "Demo", "TestSupport",
            ],
            path: "Tests/Support/Server", swiftSettings: strict),

        tests("JSONTests", ["JSON"]),
        tests("NumbersTests", ["Numbers"]),
        tests("BoundedCacheTests", ["BoundedCache", "Numbers"]),
        tests("ClusterTests", ["Cluster", "Numbers", "Media", "Store", "TestSupport"]),
        tests("ViewportTests", ["Numbers", "Viewport", "Scoring"]),
        tests("TaskPoolTests", ["Numbers", "TaskPool", "TestSupport"]),
        tests("ReplayTests", ["Numbers", "Viewport", "Replay", "Scoring", "TestSupport"], exclude: ["Traces"]),
        tests("MicroHTTPTests", ["MicroHTTP", "Numbers", "TestSupport"]),
        // Optimised, because these tests create and compare millions of bytes and pixels.
        tests("FetchTests", ["Fetch", "Media", "TestSupport"], settings: strict),
        tests("StoreTests", ["Store", "Media", "Numbers", "TestSupport", database], settings: strict),
        tests(
            "MediaTests",
            ["Media", "Store", "Numbers", "CImageCodecs", "CZlib", "Demo", "TestSupport"],
            settings: strict),
        tests("CatalogTests", ["Catalog", "Demo", "Fetch", "Numbers", "TestSupport", database]),
        tests("DemoTests", ["CImageCodecs", "Demo", "TestSupport", "ServerFixtures"]),
        tests("ThreadsTests", ["Threads", "Numbers", "TestSupport"]),
        tests(
            "ThumbnailsTests",
            [
                "TaskPool", "MicroHTTP", "Media", "Fetch", "Store", "Catalog", "Cluster", "Thumbnails",
                "Gallery",
                "Demo", "TestSupport", "ServerFixtures",
            ]),
        tests(
            "GalleryTests",
            [
                "JSON", "Viewport", "TaskPool", "Numbers", "Replay", "Threads", "MicroHTTP", "Media", "Fetch",
                "Store", "Catalog", "Thumbnails",
                "Gallery", "Demo", "TestSupport", "ServerFixtures",
            ]),
        tests(
            "WebTests",
            [
                "JSON", "Viewport", "TaskPool", "Threads", "MicroHTTP", "CImageCodecs", "Media",
                "Fetch", "Store",
                "Catalog", "Cluster", "Thumbnails", "Gallery", "Web", "Demo", "TestSupport", "ServerFixtures",
            ]),
        tests("BrowserTests", ["Demo", "JSON", "MicroHTTP", "TestSupport", "ServerFixtures"], exclude: ["Probe"]),
        tests("CommandLineTests", ["JSON", "Terminal", "TestSupport"], exclude: ["bucket.py"]),
        tests("ProjectTests", ["JSON", "TestSupport"], exclude: ["architecture.py", "docc.sh", "rooms.py", "shims"]),
    ],
    swiftLanguageModes: [.v6]
)
