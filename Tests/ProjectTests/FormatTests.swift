import Testing

@Suite(.timeLimit(.minutes(2)))
struct FormatTests {
    @Test("all Swift files match .swift-format")
    func format() async throws {
        let result = try await Checkout.run("swift format lint --strict --recursive Sources Tests Package.swift")
        #expect(
            result.status == 0 && result.output.isEmpty,
            "swift format -i -r Sources Tests Package.swift\n\(result.output)")
    }
}
