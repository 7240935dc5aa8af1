// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

func room(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "lookahead",
    products: [
        .executable(name: "lookahead", targets: ["lookahead"]),
        .library(name: "Viewport", targets: ["Viewport"]),
        .library(name: "TaskPool", targets: ["TaskPool"]),
        .library(name: "MicroHTTP", targets: ["MicroHTTP"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // C libraries: a module for each, and the thinnest shims Swift needs to call them.
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CLinux", linkerSettings: [.linkedLibrary("seccomp")]),
        .target(
            name: "CImageCodecs",
            linkerSettings: ["turbojpeg", "jpeg", "png", "webp", "webpdemux", "gif", "lcms2"].map { .linkedLibrary($0) }
        ),

        // Pure rooms: values in, values out.
        room("JSON"),
        room("Viewport"),
        room("TaskPool"),
        room("Replay", ["JSON", "Viewport", "TaskPool"]),

        // Rooms that touch the world.
        room("MicroHTTP", ["CMicroHTTPD"]),
        room("Pipeline", ["CCurl", "CImageCodecs", "CLinux", .product(name: "GRDB", package: "GRDB.swift")]),
        room("Catalog", ["JSON", "Viewport", "Replay", "MicroHTTP", "Pipeline", "CImageCodecs", "CLinux"]),
        room(
            "Gallery",
            [
                "JSON", "Viewport", "TaskPool", "Replay", "MicroHTTP", "Pipeline", "Catalog",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "lookahead",
            dependencies: [
                "Gallery", "Replay", "MicroHTTP", "CMicroHTTPD", "CLinux",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // What several test targets share: raw sockets, child processes, temporary folders.
        .target(
            name: "TestSupport", dependencies: ["JSON", "CImageCodecs"], path: "Tests/Support", swiftSettings: strict),

        tests("JSONTests", ["JSON"]),
        tests("ViewportTests", ["Viewport", "Replay"]),
        tests("TaskPoolTests", ["TaskPool", "Replay"]),
        .testTarget(
            name: "ReplayTests", dependencies: ["Replay", "TestSupport"], exclude: ["Traces"], swiftSettings: strict),
        tests("MicroHTTPTests", ["MicroHTTP", "Replay", "TestSupport"]),
        tests("PipelineTests", ["Pipeline", "Replay", "CImageCodecs", "lookahead"]),
        tests("CatalogTests", ["Catalog", "TestSupport"]),
        tests("GalleryTests", ["Gallery", "TestSupport", "lookahead"]),
        tests("BrowserTests", ["JSON", "TestSupport", "lookahead"]),
        tests("CommandLineTests", ["JSON", "TestSupport", "lookahead"]),
        .testTarget(
            name: "ProjectTests", dependencies: ["JSON", "TestSupport", "lookahead"], exclude: ["docc.sh", "shims"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
