import Foundation
import SeraiJSON
import ServiceKit
import Testing

@testable import SeraiNotifications

@Suite("X9: the rules of webhooks")
struct WebhookRuleTests {
    @Test("X9: the signature is that of the Standard Webhooks libraries, for their own example")
    func signature() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signed = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: #"{"test": 2432232314}"#)
        #expect(signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let made = WebhookSecret.generate()
        #expect(WebhookSecret(made.text) == made && made.text.hasPrefix("whsec_"))
        for wrong in ["", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            #expect(WebhookSecret(wrong) == nil)
        }
    }

    @Test("X9: pauses grow for three days and then end; Retry-After can only make one longer, up to a day")
    func pauses() {
        let pauses = (1...9).compactMap { WebhookPlan.pause(afterTries: $0, askedFor: nil, chance: 0) }
        #expect(pauses.count == 9 && pauses == pauses.sorted() && pauses.reduce(0, +) >= 3 * 86_400)
        #expect(WebhookPlan.pause(afterTries: 10, askedFor: nil, chance: 0) == nil)
        #expect(WebhookPlan.pause(afterTries: 1, askedFor: 60, chance: 0) == 60)
        #expect(WebhookPlan.pause(afterTries: 2, askedFor: 1, chance: 0.5) == 315)
        #expect(WebhookPlan.pause(afterTries: 1, askedFor: 1e9, chance: 0) == 86_400)
    }

    @Test("X9: 2xx is taken, 410 wants no more, all else is tried again")
    func outcomes() {
        #expect(WebhookPlan.outcome(ofStatus: 204, retryAfter: nil) == .taken)
        #expect(WebhookPlan.outcome(ofStatus: 410, retryAfter: nil) == .gone)
        #expect(WebhookPlan.outcome(ofStatus: 302, retryAfter: nil) == .failed(retryAfterSeconds: nil))
        #expect(WebhookPlan.outcome(ofStatus: 503, retryAfter: "120") == .failed(retryAfterSeconds: 120))
        for odd in ["-5", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            #expect(WebhookPlan.outcome(ofStatus: 429, retryAfter: odd) == .failed(retryAfterSeconds: nil))
        }
    }

    @Test(
        "X9, Q7: webhooks reach no address of our own network",
        arguments: [
            ([8, 8, 8, 8], true), ([172, 32, 0, 1], true), ([100, 63, 0, 1], true), ([127, 0, 0, 1], false),
            ([10, 1, 2, 3], false), ([172, 16, 0, 1], false), ([172, 31, 255, 255], false), ([192, 168, 1, 1], false),
            ([169, 254, 169, 254], false), ([100, 64, 0, 1], false), ([0, 0, 0, 0], false), ([224, 0, 0, 1], false),
            ([255, 255, 255, 255], false), ([198, 18, 0, 1], false), ([192, 0, 2, 1], false),
        ] as [([UInt8], Bool)])
    func addresses(_ bytes: [UInt8], _ isPublic: Bool) {
        #expect(PublicAddress.isPublic(v4: bytes) == isPublic)
        // An IPv4 address within an IPv6 one is no way around it.
        #expect(!PublicAddress.isPublic(v6: [UInt8](repeating: 0, count: 10) + [255, 255] + bytes))
        #expect(!PublicAddress.isPublic(v6: [0x20, 0x02] + bytes + [UInt8](repeating: 0, count: 10)))
    }

    @Test("X9, Q7: of IPv6 only global addresses are public")
    func addresses6() {
        func address(_ first: UInt8, _ second: UInt8, last: UInt8 = 1) -> [UInt8] {
            [first, second] + [UInt8](repeating: 0x47, count: 13) + [last]
        }
        #expect(PublicAddress.isPublic(v6: address(0x26, 0x06)))
        for (first, second) in [(0xFC, 0), (0xFD, 1), (0xFE, 0x80), (0xFF, 2), (0, 0x64)] as [(UInt8, UInt8)] {
            #expect(!PublicAddress.isPublic(v6: address(first, second)))
        }
        #expect(!PublicAddress.isPublic(v6: [UInt8](repeating: 0, count: 15) + [1]))
    }

    @Test("X9, P10: an address is https, without a user and a fragment; a name of our own network is not connected to")
    func urls() async {
        let strict = OutgoingAddress(allowsPrivate: false)
        #expect(strict.url("https://shop.example/hooks?x=1") != nil)
        for wrong in [
            "http://shop.example", "https://", "ftp://x.example", "https://a:b@x.example", "https://x.example/#a", "x",
            "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/", "https://LOCALHOST/", "https://a.localhost/",
        ] {
            #expect(strict.url(wrong) == nil, "\(wrong)")
        }
        for host in ["localhost", "127.0.0.1", "[::1]", "169.254.169.254", "no-such-host.invalid"] {
            await #expect(throws: OutgoingAddress.NotReachable.self) {
                _ = try await strict.resolved(host, port: 443)
            }
        }
    }

    @Test("X9: the names of events are those of orders, in the form of Standard Webhooks")
    func names() {
        #expect(WebhookEvent.names.contains("order.accepted") && WebhookEvent.names.contains("order.payment_changed"))
        #expect(WebhookEvent.names.allSatisfy { $0.hasPrefix("order.") } && Set(WebhookEvent.names).count > 20)
    }
}
