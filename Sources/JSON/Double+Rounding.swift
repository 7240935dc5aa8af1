extension Double {
    /// To so many decimals, as a number: shorter JSON.
    package func rounded(to decimals: Int) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
