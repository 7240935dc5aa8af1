/// Reads rows of 8-bit samples as Floats. Averages boxes of samples, and premultiplies by alpha if there is an alpha channel.
struct RowReader {
    let source: Samples
    let input: UnsafePointer<UInt8>
    let x: ResampleAxis
    let y: ResampleAxis

    /// Reads the reduced row `index` into `row`, which has `x.reduced` samples.
    func read(_ index: Int, into row: UnsafeMutablePointer<Float>) {
        let first = index * y.box, last = min(y.samples, first + y.box)
        let channels = source.layout.channels
        if y.box == 1, x.box == 1, source.layout != .rgba {
            let bytes = input + first * source.stride
            for i in 0..<x.reduced * channels { row[i] = Float(bytes[i]) }
            return
        }
        for i in 0..<x.reduced * channels { row[i] = 0 }
        for line in first..<last {
            let bytes = input + line * source.stride
            switch source.layout {
            case .plane: addPlane(bytes, row)
            case .rgba: addPremultiplied(bytes, row)
            case .rgbx, .invertedCMYK: addPixels(bytes, row)
            }
        }
        average(row, rows: last - first)
    }

    private func addPlane(_ bytes: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<Float>) {
        if x.box == 1 {
            for i in 0..<x.reduced { row[i] += Float(bytes[i]) }
            return
        }
        var place = 0
        for i in 0..<x.reduced {
            let end = min(x.samples, place + x.box)
            var sum: UInt32 = 0
            while place < end {
                sum &+= UInt32(bytes[place])
                place += 1
            }
            row[i] += Float(sum)
        }
    }

    private func addPixels(_ bytes: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<Float>) {
        if x.box == 1 {
            for i in 0..<x.reduced * 4 { row[i] += Float(bytes[i]) }
            return
        }
        var place = 0
        for i in 0..<x.reduced {
            let end = min(x.samples, place + x.box)
            var r: UInt32 = 0, g: UInt32 = 0, b: UInt32 = 0, w: UInt32 = 0
            while place < end {
                let pixel = bytes + place * 4
                r &+= UInt32(pixel[0])
                g &+= UInt32(pixel[1])
                b &+= UInt32(pixel[2])
                w &+= UInt32(pixel[3])
                place += 1
            }
            row[4 * i] += Float(r)
            row[4 * i + 1] += Float(g)
            row[4 * i + 2] += Float(b)
            row[4 * i + 3] += Float(w)
        }
    }

    private func addPremultiplied(_ bytes: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<Float>) {
        var place = 0
        for i in 0..<x.reduced {
            let end = min(x.samples, place + x.box)
            // A box contains at most 65,536 pixels of a row, at most 255 * 255 each after multiplication.
            var r: UInt32 = 0, g: UInt32 = 0, b: UInt32 = 0, w: UInt32 = 0
            while place < end {
                let pixel = bytes + place * 4
                let alpha = UInt32(pixel[3])
                r &+= UInt32(pixel[0]) &* alpha
                g &+= UInt32(pixel[1]) &* alpha
                b &+= UInt32(pixel[2]) &* alpha
                w &+= alpha
                place += 1
            }
            row[4 * i] += Float(r) * (1 / 255)
            row[4 * i + 1] += Float(g) * (1 / 255)
            row[4 * i + 2] += Float(b) * (1 / 255)
            row[4 * i + 3] += Float(w)
        }
    }

    private func average(_ row: UnsafeMutablePointer<Float>, rows: Int) {
        let channels = source.layout.channels
        guard x.box > 1 || rows > 1 else { return }
        let scale = 1 / Float(x.box * rows)
        for i in 0..<x.reduced * channels { row[i] *= scale }
        // The last box of a row may be incomplete.
        let inLast = x.samples - (x.reduced - 1) * x.box
        guard inLast < x.box else { return }
        let correction = Float(x.box) / Float(inLast)
        for channel in 0..<channels { row[(x.reduced - 1) * channels + channel] *= correction }
    }
}
