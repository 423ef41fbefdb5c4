import TestKit
import Testing

@testable import ServiceKit

@Suite("Rate limits")
struct RateLimitTests {
    @Test("a burst is allowed, then the rate holds")
    func burst() {
        var state = RateLimitState(RateLimit(perSecond: 2, burst: 3), maximumKeys: 100)
        for _ in 0..<3 { #expect(state.take("a", now: 0) == .allowed) }
        #expect(state.take("a", now: 0) == .refused(retryAfterSeconds: 0.5))
        #expect(state.take("b", now: 0) == .allowed)
        #expect(state.take("a", now: 0.25) == .refused(retryAfterSeconds: 0.25))
        #expect(state.take("a", now: 0.5) == .allowed)
        #expect(state.take("a", now: 0.5) == .refused(retryAfterSeconds: 0.5))
        for _ in 0..<3 { #expect(state.take("a", now: 100) == .allowed) }
        #expect(state.take("a", now: 100) == .refused(retryAfterSeconds: 0.5))
    }

    @Test("a flood of keys does not fill the memory")
    func bounded() {
        var state = RateLimitState(RateLimit(perSecond: 1, burst: 1), maximumKeys: 1_000)
        for key in 0..<100_000 { _ = state.take("key-\(key)", now: 0) }
        #expect(state.keyCount <= 1_001)
        #expect(state.take("key-99999", now: 0) != .allowed)
    }

    @Test("over any time no key gets more than burst and rate allow")
    func neverMore() {
        var generator = SeededGenerator()
        for _ in 0..<50 {
            let perSecond = Double.random(in: 0.5...20, using: &generator)
            let burst = Int.random(in: 1...10, using: &generator)
            var state = RateLimitState(RateLimit(perSecond: perSecond, burst: burst), maximumKeys: 10)
            var now = 0.0
            var allowed: [Double] = []
            for _ in 0..<300 {
                now += Double.random(in: 0...0.2, using: &generator)
                if state.take("k", now: now) == .allowed { allowed.append(now) }
            }
            for start in allowed.indices {
                for end in start..<allowed.endIndex {
                    let limit = Double(burst) + (allowed[end] - allowed[start]) * perSecond + 1e-6
                    guard Double(end - start + 1) > limit else { continue }
                    Issue.record("\(generator): \(end - start + 1) in \(allowed[end] - allowed[start]) s")
                    return
                }
            }
        }
    }

    @Test(
        "an IPv6 client is its /64, a mapped IPv4 address is an IPv4 address",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("::FFFF:C000:0201", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:0DB8:1:2::1", "2001:db8:1:2::/64"), ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
            ("fe80::1%eth0", "fe80::/64"), ("::1", "::/64"), ("nonsense", "nonsense"), ("", ""),
        ])
    func keys(address: String, key: String) {
        #expect(ClientAddress.limitKey(address) == key)
    }

    @Test("X-Forwarded-For is believed only from a trusted proxy, from its end")
    func forwarded() {
        let trusted: Set<String> = ["127.0.0.1", "10.0.0.2"]
        func client(_ peer: String, _ header: String...) -> String {
            ClientAddress.client(peer: peer, forwardedFor: header, trusted: trusted)
        }
        #expect(client("203.0.113.9", "1.1.1.1") == "203.0.113.9")
        #expect(client("127.0.0.1", "1.1.1.1") == "1.1.1.1")
        #expect(client("127.0.0.1", "6.6.6.6, 1.1.1.1") == "1.1.1.1")
        #expect(client("127.0.0.1", "6.6.6.6", "1.1.1.1, 10.0.0.2") == "1.1.1.1")
        #expect(client("127.0.0.1", "6.6.6.6, <script>") == "127.0.0.1")
        #expect(client("127.0.0.1") == "127.0.0.1")
        #expect(client("127.0.0.1", "2001:db8::1") == "2001:db8::1")
        // A server that listens on IPv6 sees IPv4 as mapped; hops are written in many ways.
        #expect(client("::ffff:127.0.0.1", "1.1.1.1") == "1.1.1.1")
        #expect(client("127.0.0.1", "::ffff:1.1.1.1, ::ffff:10.0.0.2") == "1.1.1.1")
        #expect(client("127.0.0.1", "2001:DB8:0:0::1") == "2001:db8::1")
        #expect(client("127.0.0.1", "[2001:db8::1]:4711, 10.0.0.2:80") == "2001:db8::1")
        #expect(client("127.0.0.1", "[2001:db8::1") == "127.0.0.1")
    }
}
