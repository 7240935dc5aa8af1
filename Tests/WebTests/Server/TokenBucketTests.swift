import Testing
import Web

@Suite struct TokenBucketTests {
    @Test("a second's worth goes at once, then as many as come back")
    func burst() {
        var bucket = TokenBucket(rate: 10, at: 0)
        for _ in 0..<10 { #expect(bucket.take(at: 0) == nil) }
        #expect(bucket.take(at: 0) == 100)
        #expect(bucket.take(at: 99) != nil)
        #expect(bucket.take(at: 101) == nil)
        #expect(bucket.take(at: 101) != nil)
    }

    @Test("waiting long saves up no more than a second's worth")
    func saving() {
        var bucket = TokenBucket(rate: 5, at: 0)
        var taken = 0
        while bucket.take(at: 1e9) == nil { taken += 1 }
        #expect(taken == 5)
    }

    @Test("a clock that runs backwards gives nothing, and takes nothing away")
    func backwards() {
        var bucket = TokenBucket(rate: 1, at: 1000)
        #expect(bucket.take(at: 1000) == nil)
        #expect(bucket.take(at: 0) != nil)
        #expect(bucket.take(at: 2000) == nil)
    }
}
