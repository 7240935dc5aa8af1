/// A camera of the demo's imaginary photographer, who buys a new camera every few years.
struct DemoCamera: Sendable {
    struct Lens: Sendable {
        let name: String
        /// In millimetres.
        let focalLengths: ClosedRange<Double>
        /// Smallest f-number.
        let aperture: Double
    }

    let make: String
    let model: String
    let lenses: [Lens]
    /// Years in which the photographer used the camera.
    let years: ClosedRange<Int>

    var name: String { "\(make) \(model)" }

    static let all: [DemoCamera] = [
        DemoCamera(
            make: "Canon", model: "EOS 5D Mark II",
            lenses: [
                Lens(name: "EF24-105mm f/4L IS USM", focalLengths: 24...105, aperture: 4),
                Lens(name: "EF50mm f/1.4 USM", focalLengths: 50...50, aperture: 1.4),
            ], years: 2010...2015),
        DemoCamera(
            make: "Panasonic", model: "DMC-TZ10",
            lenses: [Lens(name: "LEICA DC VARIO-ELMAR", focalLengths: 4.1...49.2, aperture: 3.3)], years: 2010...2013),
        DemoCamera(
            make: "Apple", model: "iPhone 6s",
            lenses: [Lens(name: "iPhone 6s back camera 4.15mm f/2.2", focalLengths: 4.15...4.15, aperture: 2.2)],
            years: 2014...2018),
        DemoCamera(
            make: "FUJIFILM", model: "X100F",
            lenses: [Lens(name: "Fujinon 23mm F2", focalLengths: 23...23, aperture: 2)], years: 2016...2020),
        DemoCamera(
            make: "SONY", model: "ILCE-7M3",
            lenses: [
                Lens(name: "FE 24-70mm F2.8 GM", focalLengths: 24...70, aperture: 2.8),
                Lens(name: "FE 85mm F1.8", focalLengths: 85...85, aperture: 1.8),
            ], years: 2019...2025),
        DemoCamera(
            make: "Google", model: "Pixel 7",
            lenses: [Lens(name: "Pixel 7 back camera 6.81mm f/1.85", focalLengths: 6.81...6.81, aperture: 1.85)],
            years: 2021...2025),
    ]

    /// Returns the cameras used in a year, as indices into ``all``. Never empty for the years of the demo.
    static func carried(in year: Int) -> [Int] { all.indices.filter { all[$0].years.contains(year) } }
}
