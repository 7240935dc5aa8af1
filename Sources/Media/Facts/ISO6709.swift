extension PictureFacts.Location {
    /// Largest altitude that is accepted, in metres.
    private static let maximumAltitude = 1e6

    /// - Returns: `nil` for degrees out of range, and for 0, 0, which receivers without a position write.
    init?(found latitude: Double, _ longitude: Double, altitude: Double?) {
        guard -90...90 ~= latitude, -180...180 ~= longitude, latitude != 0 || longitude != 0 else { return nil }
        self.init(
            latitude: latitude, longitude: longitude,
            altitude: altitude.flatMap { abs($0) <= Self.maximumAltitude ? $0 : nil })
    }

    /// Parses `+47.3700+008.5400+408.000/` (ISO 6709, annex H): degrees, or degrees and minutes (`+4722.2`), or degrees, minutes and
    /// seconds (`+472212`). The altitude and the slash may be missing.
    init?(iso6709 text: String) {
        var rest = Array(text.utf8)[...]
        guard let latitude = Part(&rest)?.degrees(digits: 2), let longitude = Part(&rest)?.degrees(digits: 3) else {
            return nil
        }
        self.init(found: latitude, longitude, altitude: Part(&rest)?.number)
    }

    /// A signed number.
    private struct Part {
        let isNegative: Bool
        /// Digits before the decimal mark. ``fraction`` has the digits after it.
        let whole: ArraySlice<UInt8>
        let fraction: ArraySlice<UInt8>

        /// Removes the next number from the text.
        init?(_ rest: inout ArraySlice<UInt8>) {
            guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
            isNegative = sign == UInt8(ascii: "-")
            whole = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
            rest = rest.dropFirst(1 + whole.count)
            if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
                fraction = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
                rest = rest.dropFirst(1 + fraction.count)
            } else {
                fraction = []
            }
            if whole.isEmpty { return nil }
        }

        var number: Double? { signed(Self.number(whole, fraction)) }

        /// - Parameter digits: number of digits for whole degrees. Some programs write fewer if no minutes follow.
        func degrees(digits: Int) -> Double? {
            let further = whole.dropFirst(digits)
            guard [0, 2, 4].contains(further.count) else { return nil }
            var groups = [whole.prefix(digits)]
            if !further.isEmpty { groups.append(further.prefix(2)) }
            if further.count == 4 { groups.append(further.suffix(2)) }
            var value = 0.0
            for (index, group) in groups.enumerated() {
                let isLast = index == groups.count - 1
                guard let number = Self.number(group, isLast ? fraction : []), index == 0 || number < 60 else {
                    return nil
                }
                value += number / [1.0, 60, 3600][index]
            }
            return signed(value)
        }

        private func signed(_ value: Double?) -> Double? { value.map { isNegative ? -$0 : $0 } }

        private static func number(_ whole: ArraySlice<UInt8>, _ fraction: ArraySlice<UInt8>) -> Double? {
            Double("\(String(decoding: whole, as: UTF8.self)).\(String(decoding: fraction, as: UTF8.self))0")
        }
    }
}
