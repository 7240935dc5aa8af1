import Catalog
import Demo
import Foundation
import Numbers

/// A set of pictures to measure with: painted, with a sensor's noise, the same in each run.
struct BenchCorpus {
    var name: String
    var pictures: [[UInt8]]

    /// The pictures of each set.
    struct Recipe {
        var name: String
        var width: Int
        var height: Int
        var isProgressive: Bool
        var count: Int
        /// Standard deviation of the noise, of 255; it makes files as heavy as a camera's.
        var noise: Float
    }

    static let recipes = [
        Recipe(name: "12mp", width: 4000, height: 3000, isProgressive: false, count: 6, noise: 6),
        Recipe(name: "1200x800", width: 1200, height: 800, isProgressive: false, count: 40, noise: 5),
        Recipe(name: "12mp-progressive", width: 4000, height: 3000, isProgressive: true, count: 6, noise: 6),
        Recipe(name: "1200x800-progressive", width: 1200, height: 800, isProgressive: true, count: 40, noise: 5),
    ]

    init(_ recipe: Recipe) {
        name = recipe.name
        pictures = (0..<recipe.count).compactMap { number in
            // The same pictures baseline and progressive.
            guard
                let picture = DemoPicture(width: recipe.width, height: recipe.height, text: "bench \(number)")
            else { return nil }
            var pixels = picture.pixels()
            Self.addNoise(to: &pixels, sigma: recipe.noise, seed: UInt64(number))
            return DemoPicture.encode(
                pixels, width: recipe.width, height: recipe.height, quality: 85, isProgressive: recipe.isProgressive)
        }
    }

    /// The set as it was written to a folder before.
    init?(_ recipe: Recipe, readFrom folder: String) {
        name = recipe.name
        pictures = (0..<recipe.count).compactMap { number in
            FileManager.default.contents(atPath: Self.path(folder, recipe.name, number)).map(Array.init)
        }
        guard pictures.count == recipe.count else { return nil }
    }

    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, picture) in pictures.enumerated() {
            try Data(picture).write(to: URL(fileURLWithPath: Self.path(folder, name, number)))
        }
    }

    static func path(_ folder: String, _ name: String, _ number: Int) -> String {
        "\(folder)/\(name)_\(number < 10 ? "0" : "")\(number).jpg"
    }

    /// Nearly normal noise: the sum of eight even bytes.
    static func addNoise(to pixels: inout [UInt32], sigma: Float, seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        // The sum's own deviation is 209.
        let scale = Int32(sigma / 209 * 65_536)
        for i in pixels.indices {
            let random = generator.next()
            var sum: Int32 = -1_020
            for byte in 0..<8 { sum += Int32(truncatingIfNeeded: random >> UInt64(8 * byte)) & 0xFF }
            let luma = (sum * scale) >> 16
            var pixel: UInt32 = 0
            for shift in stride(from: UInt32(0), to: 24, by: 8) {
                let value = Int32(pixels[i] >> shift & 0xFF)
                // Each colour its own share, as in a sensor.
                let own = (Int32(random >> UInt64(16 + shift) & 0xFF) - 128) * scale >> 15
                pixel |= UInt32(max(0, min(255, value + luma + own))) << shift
            }
            pixels[i] = pixel
        }
    }
}
