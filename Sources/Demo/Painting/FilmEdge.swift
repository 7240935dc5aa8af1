/// A picture's number in machine-readable form: light and dark holes along the bottom edge, like those of a film. Only tests use this
/// strip (`demo --mark-pictures`).
///
/// The lowest tenth of the picture is a dark strip with two rows of 16 cells, read row by row from the left. A light hole in a cell is
/// a 1. Cell 0 is always light and cell 31 always dark. The mean of their brightness is the threshold between light and dark. Cells 1
/// to 24 are the number, highest bit first. Cells 25 to 30 are its check. The strip remains readable after JPEG compression and after
/// scaling down to about 100 pixels.
///
/// A reader in JavaScript, for the pixels of a canvas onto which the whole picture was drawn:
///
/// ```js
/// function readFilmEdge({ data, width, height }) {      // an ImageData
///   const cells = [], top = height * 0.9;
///   for (let i = 0; i < 32; i++) {
///     const x = (i % 16 + 0.5) * width / 16, y = top + ((i >> 4) + 0.5) * height * 0.05;
///     let sum = 0, n = 0;
///     for (let v = Math.floor(y - height * 0.01); v <= Math.floor(y + height * 0.01); v++)
///       for (let u = Math.floor(x - width * 0.01); u <= Math.floor(x + width * 0.01); u++) {
///         const p = (Math.min(v, height - 1) * width + Math.min(u, width - 1)) * 4;
///         sum += data[p] + data[p + 1] + data[p + 2]; n++;
///       }
///     cells.push(sum / n);
///   }
///   if (cells[0] - cells[31] < 150) return null;
///   const middle = (cells[0] + cells[31]) / 2;
///   let word = 0;
///   for (let i = 1; i < 31; i++) word = word * 2 + (cells[i] > middle ? 1 : 0);
///   const number = Math.floor(word / 64);
///   const check = (number ^ number >> 6 ^ number >> 12 ^ number >> 18 ^ 45) & 63;
///   return word % 64 === check ? number : null;
/// }
/// ```
package enum FilmEdge {
    /// Largest number that fits the strip.
    package static let maxNumber = 1 << 24 - 1

    /// Returns six check bits. They change if any single bit of the number changes.
    package static func check(_ number: Int) -> Int { (number ^ number >> 6 ^ number >> 12 ^ number >> 18 ^ 45) & 63 }

    /// Paints the strip. All cells stay dark if there is no number.
    static func paint(_ number: Int?, on canvas: Canvas) {
        let (wide, high) = (Float(canvas.width), Float(canvas.height))
        canvas.rectangle(0, high * 0.9, wide, high, Color.ink)
        guard let number, 0...maxNumber ~= number else { return }
        let word = 1 << 31 | number << 7 | check(number) << 1
        let light = Color(red: 250, green: 244, blue: 230)
        for cell in 0..<32 where word >> (31 - cell) & 1 == 1 {
            let left = Float(cell % 16) * wide / 16
            let top = high * 0.9 + Float(cell / 16) * high * 0.05
            let radius = min(wide / 16, high * 0.05) * 0.18
            let (x0, x1) = (left + wide / 16 * 0.14, left + wide / 16 * 0.86)
            let (y0, y1) = (top + high * 0.05 * 0.14, top + high * 0.05 * 0.86)
            // A hole with round corners: two crossed bars and four discs.
            canvas.rectangle(x0 + radius, y0, x1 - radius, y1, light)
            canvas.rectangle(x0, y0 + radius, x1, y1 - radius, light)
            for (x, y) in [(x0, y0), (x1, y0), (x0, y1), (x1, y1)] {
                canvas.disc(x == x0 ? x + radius : x - radius, y == y0 ? y + radius : y - radius, radius, light)
            }
        }
    }
}
