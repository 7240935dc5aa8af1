/// Place at which the pictures of a section were taken.
struct DemoPlace: Sendable {
    let name: String
    /// In degrees.
    let latitude: Double
    /// In degrees.
    let longitude: Double

    /// All places. The largest demo has fewer sections per month than there are places, so that no two sections share a title.
    static let all: [DemoPlace] = [
        at("Lisbon", 38.711, -9.137), at("At home", home, -0.2), at("Lake Bled", 46.364, 14.095),
        at("Kyoto", 35.005, 135.768), at("The allotment", home, 1.4), at("Lofoten", 68.156, 14.209),
        at("Naples", 40.852, 14.268), at("Grandma’s garden", home, 24), at("Oaxaca", 17.061, -96.725),
        at("Madeira", 32.667, -16.924), at("Copenhagen", 55.676, 12.568), at("Dolomites", 46.41, 11.844),
        at("Marrakesh", 31.63, -7.981), at("Edinburgh", 55.953, -3.188), at("Sunday walks", home, 5),
        at("Hanoi", 21.028, 105.854), at("Brittany", 48.649, -2.026), at("Seville", 37.389, -5.984),
        at("The coast road", home, 62), at("Reykjavík", 64.147, -21.943), at("Porto", 41.158, -8.629),
        at("Black Forest", 47.874, 8.104), at("Istanbul", 41.008, 28.978), at("Cinque Terre", 44.127, 9.709),
        at("Vienna", 48.208, 16.373), at("Patagonia", -50.942, -73.406), at("Market day", home, 0.8),
        at("Gotland", 57.635, 18.295), at("Prague", 50.088, 14.421), at("Sardinia", 40.121, 9.013),
        at("Seoul", 37.566, 126.978), at("Tyrol", 47.269, 11.404), at("Valparaíso", -33.047, -71.613),
        at("Ghent", 51.054, 3.725), at("The old town", home, 0.3), at("Zanzibar", -6.163, 39.189),
        at("Kraków", 50.062, 19.937), at("Big Sur", 36.27, -121.807), at("Cabin weekend", home, 80),
        at("Lyon", 45.764, 4.836), at("Sapporo", 43.062, 141.354), at("Faroe Islands", 62.012, -6.768),
        at("Athens", 37.984, 23.728), at("Galway", 53.271, -9.057), at("Provence", 43.911, 5.201),
        at("Buenos Aires", -34.604, -58.382), at("Tallinn", 59.437, 24.754), at("Namib", -24.727, 15.342),
        at("Family visit", home, 110), at("Cornwall", 50.155, -5.066), at("Taipei", 25.033, 121.565),
        at("Crete", 35.24, 24.809), at("Montréal", 45.502, -73.567), at("Rügen", 54.43, 13.433),
        at("Jaipur", 26.912, 75.787), at("Basel", 47.56, 7.589), at("Vancouver Island", 49.651, -125.449),
        at("Granada", 37.177, -3.598), at("Helsinki", 60.17, 24.938), at("Picnic season", home, 3),
        at("Cape Town", -33.925, 18.424),
    ]

    private static func at(_ name: String, _ latitude: Double, _ longitude: Double) -> DemoPlace {
        DemoPlace(name: name, latitude: latitude, longitude: longitude)
    }

    /// Home of the demo's imaginary photographer.
    private struct Home {
        let latitude = 52.091
        let longitude = 5.122
    }

    private static let home = Home()

    /// - Parameter kilometres: Distance from home, to the east. Negative to the west.
    private static func at(_ name: String, _ home: Home, _ kilometres: Double) -> DemoPlace {
        at(name, home.latitude, home.longitude + kilometres / 68.4)
    }
}
