// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

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
        room("Random"),
        room("Trace", ["JSON", "Random", "Viewport"]),
        room("Replay", ["JSON", "Random", "Trace", "Viewport", "TaskPool"]),

        // Rooms that touch the world.
        room("MicroHTTP", ["CMicroHTTPD"]),
        room("Pipeline", ["CCurl", "CImageCodecs", "CLinux", .product(name: "GRDB", package: "GRDB.swift")]),
        room("Catalog", ["JSON", "Viewport", "Pipeline", "CLinux"]),
        room(
            "Gallery",
            [
                "JSON", "Viewport", "TaskPool", "Trace", "MicroHTTP", "Pipeline", "Catalog",
                .product(name: "Logging", package: "swift-log"),
            ]),

        // Painted pictures, and the origin that they come from.
        room(
            "Demo",
            [
                "JSON", "Random", "Viewport", "Replay", "MicroHTTP", "Pipeline", "Catalog", "Gallery", "CImageCodecs",
            ]),

        // What the commands share: flags, failures, progress, signals, where the installation is.
        room("Terminal", ["Replay", "Pipeline", "Gallery", "Demo", arguments]),
        room(
            "Bench",
            [
                "JSON", "Random", "Trace", "Viewport", "TaskPool", "Replay", "MicroHTTP", "CMicroHTTPD", "Pipeline",
                "CImageCodecs", "Catalog", "Gallery", "Demo", "Terminal", arguments,
            ]),
        .executableTarget(
            name: "lookahead",
            dependencies: [
                "Trace", "Replay", "Pipeline", "Catalog", "Gallery", "Demo", "Terminal", "Bench", "CLinux", arguments,
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // What several test targets share: raw sockets, child processes, temporary folders.
        .target(
            name: "TestSupport", dependencies: ["JSON", "CImageCodecs"], path: "Tests/Support", swiftSettings: strict),

        tests("JSONTests", ["JSON"]),
        tests("ViewportTests", ["Viewport", "Random", "Trace", "Replay"]),
        tests("TaskPoolTests", ["TaskPool", "Random"]),
        .testTarget(
            name: "ReplayTests", dependencies: ["Random", "Trace", "Viewport", "Replay", "TestSupport"],
            exclude: ["Traces"], swiftSettings: strict),
        tests("MicroHTTPTests", ["MicroHTTP", "Random", "TestSupport"]),
        tests("PipelineTests", ["Pipeline", "Random", "CImageCodecs", "lookahead"]),
        tests("CatalogTests", ["Catalog", "TestSupport"]),
        tests("DemoTests", ["Demo", "Random", "TestSupport"]),
        tests("GalleryTests", ["Gallery", "Demo", "TestSupport", "lookahead"]),
        tests("BrowserTests", ["JSON", "TestSupport", "lookahead"]),
        tests("CommandLineTests", ["JSON", "Terminal", "TestSupport", "lookahead"]),
        .testTarget(
            name: "ProjectTests", dependencies: ["JSON", "TestSupport", "lookahead"], exclude: ["docc.sh", "shims"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
