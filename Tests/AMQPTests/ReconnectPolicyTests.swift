import TestKit
import Testing

@testable import AMQP

@Suite("Waiting before a reconnect")
struct ReconnectPolicyTests {
    /// Always the longest wait allowed.
    struct Longest: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    func near(_ delay: Duration, _ bound: Duration) -> Bool { delay > bound * 0.99 && delay <= bound }

    @Test("the bound doubles up to the cap")
    func doubles() {
        var policy = ReconnectPolicy(base: .milliseconds(100), cap: .milliseconds(350))
        var generator = Longest()
        for bound in [100, 200, 350, 350, 350] {
            #expect(near(policy.nextDelay(using: &generator), .milliseconds(bound)))
        }
    }

    @Test("a short connection does not start it over, a long one does")
    func stable() {
        var policy = ReconnectPolicy(base: .milliseconds(100), cap: .seconds(5), stableAfter: .seconds(30))
        var generator = Longest()
        _ = policy.nextDelay(using: &generator)
        #expect(near(policy.nextDelay(afterConnectionOf: .seconds(29), using: &generator), .milliseconds(200)))
        #expect(near(policy.nextDelay(afterConnectionOf: .seconds(30), using: &generator), .milliseconds(100)))
    }

    @Test("waits lie anywhere between nothing and the bound, however many came before")
    func jitter() {
        var policy = ReconnectPolicy(base: .milliseconds(1), cap: .seconds(1))
        var generator = SeededGenerator()
        let delays = (0..<1000).map { _ in policy.nextDelay(using: &generator) }.suffix(900)
        #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(1) }, "\(generator)")
        #expect(
            delays.contains { $0 < .milliseconds(200) } && delays.contains { $0 > .milliseconds(800) }, "\(generator)")
    }
}
