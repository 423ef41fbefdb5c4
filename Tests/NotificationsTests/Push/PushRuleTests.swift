import AsyncHTTPClient
import Crypto
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import Testing

@testable import SeraiNotifications

@Suite("N2: the rules of push messages")
struct PushRuleTests {
    @Test("N2: a message is encrypted as in the example of RFC 8291")
    func example() throws {
        let cipher = try WebPushCipher(
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg")
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: try #require(Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
        let sent = try cipher.encrypt(
            Data("When I grow up, I want to be a watermelon".utf8), sender: sender,
            salt: try #require(Base64URL.decode("DGv6ra1nlYgDCS1FRnbzlw")))
        let expected =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
            + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        #expect(Base64URL.encode(sent) == expected)
        #expect(throws: WebPushCipher.Fault.tooLong) { try cipher.encrypt(Data(count: 3_994)) }
        #expect(try cipher.encrypt(Data(count: 3_993)).count == 4_096)
    }

    @Test("N2, P10: keys that are none of a browser's are refused")
    func keys() {
        let point = Base64URL.encode(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        for (p256dh, auth) in [
            ("", "BTBZMqHH6r4Tts7J_aSIgg"), (point, ""), (point, "BTBZMqHH6r4Tts7J_aSI"),
            (String(point.dropLast(4)), "x"),
            ("A" + point.dropFirst(), "BTBZMqHH6r4Tts7J_aSIgg"),
        ] {
            #expect(throws: WebPushCipher.Fault.notAKey) { _ = try WebPushCipher(p256dh: p256dh, auth: auth) }
        }
    }

    @Test("N2: the server proves itself to a push service by its key, for this service and half a day (RFC 8292)")
    func vapid() throws {
        let secret = P256.Signing.PrivateKey()
        let key = try #require(
            VAPIDKey(Base64URL.encode(secret.rawRepresentation), subject: "mailto:push@serai.example"))
        let hexadecimal = secret.rawRepresentation.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(VAPIDKey(hexadecimal, subject: "")?.publicKey == key.publicKey)
        #expect(VAPIDKey(String(repeating: "0", count: 64), subject: "") == nil && VAPIDKey("x", subject: "") == nil)
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let header = try key.authorization(for: "https://push.example", at: now)
        let match = try #require(header.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Base64URL.decode(match.3)))
        #expect(secret.publicKey.isValidSignature(signature, for: Data("\(match.1).\(match.2)".utf8)))
        #expect(Base64URL.decode(match.4) == secret.publicKey.x963Representation)
        let claims = String(decoding: try #require(Base64URL.decode(match.2)), as: UTF8.self)
        #expect(claims == #"{"aud":"https://push.example","exp":1790043200,"sub":"mailto:push@serai.example"}"#)
        let url = try #require(URL(string: "https://push.example:8443/a/b?c"))
        #expect(WebPushGateway.origin(url) == "https://push.example:8443")
    }

    @Test("N2, P7: what is shown is below three kilobytes in every script, and cut between characters")
    func small() throws {
        for text in ["a", "ش", "👨‍👩‍👧‍👦", "e\u{301}"].map({ String(repeating: $0, count: 5_000) }) {
            let message = PushMessage(
                title: text, body: text, url: "/assef/o/\(UUID.timeOrdered().text)", language: "ar",
                tag: .timeOrdered(), kind: "orders", isUrgent: true, lifetimeSeconds: 60)
            let bytes = try PushContent(message).encoded()
            #expect(bytes.count < PushContent.limit)
            #expect(PushContent(message).body.hasSuffix("…"))
            #expect(text.hasPrefix(PushContent(message).body.dropLast()))
        }
        #expect(PushContent.cut("short", 5) == "short")
    }

    @Test("N2: an offer is worth sending as long as its window is open; what somebody waits for does not wait")
    func terms() {
        let at = Date(timeIntervalSince1970: 1_790_000_000)
        func terms(_ topic: InboxTopic, _ arguments: [String: TextArgument] = [:]) -> (Double, Bool) {
            let terms = PushTerms(topic, arguments, at: at)
            return (terms.expiresAt.timeIntervalSince(at), terms.isUrgent)
        }
        #expect(terms(.orderForYou, ["seconds": .number(20)]) == (20, true))
        #expect(terms(.orderRequested, ["minutes": .number(2)]) == (120, true))
        #expect(terms(.mealRequested, ["minutes": .number(5)]) == (300, true))
        #expect(terms(.orderNearby, ["minutes": .number(3)]) == (900, true))
        #expect(terms(.tipReceived) == (86_400, false))
        #expect(terms(.fineCharged) == (3 * 86_400, false))
    }

    @Test("N2, I6: each topic has one kind; what the law or the money needs is locked")
    func kinds() {
        let kinds = Dictionary(grouping: InboxTopic.allCases, by: { NoticeKind($0) })
        #expect(Set(kinds.keys) == Set(NoticeKind.allCases))
        #expect(kinds[.offers]?.count == 6 && kinds[.ratings] == [.rated])
        for topic in [
            InboxTopic.fineCharged, .fineReminder, .subscriptionExpired, .accountBlocked, .paymentCardDeclined,
        ] {
            #expect(NoticeKind(topic) == .dues, "\(topic)")
        }
        #expect(NoticeKind(.orderOnTheWay) == .orders && NoticeKind(.seriesEnded) == .series)
        #expect(NoticeKind(.walletToppedUp) == .money && NoticeKind(.providerVerified) == .account)
        #expect(NoticeKind.allCases.filter(\.isLocked) == [.dues])
        for text in ["confirm-mobile", "reset-password", "password-changed", "subscription-expired", "new-device"] {
            #expect(NoticeKind(text: text) == nil, "\(text)")
        }
        #expect(
            NoticeKind(text: "login-reminder") == .account && NoticeKind(text: "provider-verified-driver") == .account)
    }

    @Test("N2: pauses double up to a limit, with a part left to chance")
    func pauses() {
        #expect(
            (1...12).map { DeliveryPlan.pauseSeconds(afterTries: $0, chance: 0) }.suffix(4) == [256, 300, 300, 300])
        #expect(DeliveryPlan.pauseSeconds(afterTries: 3, chance: 0.999) > 3)
        #expect(DeliveryPlan.pauseSeconds(afterTries: 0, chance: 0.5) == 0.875)
        #expect(DeliveryPlan.pauseSeconds(afterTries: 99, chance: 0, longest: 60) == 60)
    }

    @Test("N2: what services answer")
    func outcomes() {
        #expect(PushOutcome.ofStatus(201, retryAfter: nil) == .taken)
        for status in [404, 410] as [UInt] { #expect(PushOutcome.ofStatus(status, retryAfter: nil) == .gone) }
        for status in [400, 413] as [UInt] { #expect(PushOutcome.ofStatus(status, retryAfter: nil) == .refused) }
        #expect(PushOutcome.ofStatus(429, retryAfter: "120") == .later(afterSeconds: 120))
        for status in [301, 401, 403, 500, 503] as [UInt] {
            #expect(PushOutcome.ofStatus(status, retryAfter: "soon") == .later(afterSeconds: nil))
        }
        #expect(FCMGateway.outcome(404, retryAfter: nil, answer: #"{"errorCode": "UNREGISTERED"}"#) == .gone)
        #expect(FCMGateway.outcome(404, retryAfter: nil, answer: "") == .later(afterSeconds: nil))
        #expect(FCMGateway.outcome(400, retryAfter: nil, answer: "INVALID_ARGUMENT") == .refused)
        #expect(APNsGateway.outcome(410, retryAfter: nil, reason: "Unregistered") == .gone)
        #expect(APNsGateway.outcome(400, retryAfter: nil, reason: "BadDeviceToken") == .gone)
        #expect(APNsGateway.outcome(400, retryAfter: nil, reason: "PayloadEmpty") == .refused)
        #expect(APNsGateway.outcome(429, retryAfter: "7", reason: nil) == .later(afterSeconds: 7))
    }
}

extension PushRuleTests {
    @Test(
        "N2, P9: a key that cannot be read stops the start and is named without its text; without keys nothing is sent")
    func settings() async throws {
        let needed = [
            "SERAI_DATABASE_URL": "postgres://a@localhost/x", "SERAI_AMQP_URL": "amqp://a@localhost/",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32), "SERAI_TOKENS_KEYS": "{}",
            "SERAI_TOKENS_ISSUER": World.issuer, "SERAI_DELIVERIES_KEY": String(repeating: "d", count: 32),
        ]
        func gateways(_ more: [String: String]) throws -> PushGateways {
            try PushGateways(
                ServiceConfiguration(
                    keys: NotificationsService.allKeys, arguments: [], environment: needed.merging(more) { $1 }))
        }
        let none = try gateways([:])
        try await none.client.shutdown()
        #expect(none.byKind.isEmpty && none.publicKey == nil)
        for (name, text) in [("PUSH_FCM_ACCOUNT", "{}"), ("PUSH_APNS_KEY", "no key"), ("PUSH_VAPID_KEY", "short")] {
            let error = #expect(throws: (any Error).self) { _ = try gateways(["SERAI_\(name)": text]) }
            let told = error.map { "\($0)" } ?? ""
            #expect(told.contains(name.lowercased().replacing("_", with: ".")) && !told.contains(text), "\(told)")
        }
    }
}

@Suite("N2: when a push message is sent")
struct PushPlanTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func plan(
        urgent: Bool = false, read: Bool = false, left: Double = 100, waiting: Int = 1, sent: Int = 0,
        last: Double? = nil
    ) -> PushPlan {
        PushPlan(
            isUrgent: urgent, isRead: read, expiresAt: now.addingTimeInterval(left), waitingAlike: waiting,
            sentAlike: sent, lastSentAlike: last.map { now.addingTimeInterval(-$0) })
    }

    @Test("N2: what is read is not sent, what is of no use is given up, what is urgent goes at once")
    func steps() throws {
        let quiet = try #require(QuietHours(fromMinute: 0, toMinute: 1_439, zone: "UTC"))
        #expect(plan().step(at: now, quiet: nil) == .send)
        #expect(plan(urgent: true, read: true).step(at: now, quiet: quiet) == .drop)
        #expect(plan(urgent: true, left: 0).step(at: now, quiet: nil) == .giveUp)
        #expect(plan(urgent: true, waiting: 9, sent: 9, last: 1).step(at: now, quiet: quiet) == .send)
    }

    @Test("N2: the fourth of a kind within ten minutes waits for their end; four that wait are one")
    func storms() {
        #expect(plan(sent: 2, last: 5).step(at: now, quiet: nil) == .send)
        #expect(plan(sent: 3, last: 5).step(at: now, quiet: nil) == .hold(until: now.addingTimeInterval(596)))
        #expect(plan(waiting: 3).step(at: now, quiet: nil) == .send)
        #expect(plan(waiting: 4).step(at: now, quiet: nil) == .digest)
    }

    @Test("N2: quiet hours defer to their end, in the account's zone, over midnight and where clocks are changed")
    func quiet() throws {
        func moment(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
        let night = try #require(QuietHours(fromMinute: 22 * 60, toMinute: 7 * 60, zone: "Asia/Riyadh"))
        #expect(night.end(at: try moment("2026-03-01T18:59:00Z")) == nil)
        #expect(night.end(at: try moment("2026-03-01T19:00:00Z")) == (try moment("2026-03-02T04:00:00Z")))
        #expect(night.end(at: try moment("2026-03-02T03:59:59Z")) == (try moment("2026-03-02T04:00:00Z")))
        #expect(night.end(at: try moment("2026-03-02T04:00:00Z")) == nil)
        let noon = try #require(QuietHours(fromMinute: 12 * 60, toMinute: 13 * 60 + 30, zone: "UTC"))
        #expect(noon.end(at: try moment("2026-03-01T12:00:00Z")) == (try moment("2026-03-01T13:30:00Z")))
        // The hour from two to three does not exist in this night.
        let spring = try #require(QuietHours(fromMinute: 60, toMinute: 150, zone: "Europe/Berlin"))
        #expect(spring.end(at: try moment("2026-03-29T00:30:00Z")) == (try moment("2026-03-29T01:00:00Z")))
        #expect(
            plan().step(at: try moment("2026-03-01T22:00:00Z"), quiet: night)
                == .hold(until: try moment("2026-03-02T04:00:00Z")))
    }

    @Test("N2, P10: quiet hours have two different times of day and a zone that exists")
    func forms() {
        #expect(QuietHours(fromMinute: 5, toMinute: 5, zone: "UTC") == nil)
        #expect(QuietHours(fromMinute: 5, toMinute: 1_440, zone: "UTC") == nil)
        for zone in ["", "EST", "Mars/Olympus", "GMT+3", "Asia/"] { #expect(QuietHours.zone(zone) == nil, "\(zone)") }
        for text in ["24:00", "7:00", "07:60", "٠٧:٠٠", "", "07:000"] { #expect(QuietHours.minute(text) == nil) }
        #expect(QuietHours(fromMinute: 5, toMinute: 6, zone: "UTC")?.zoneName == "UTC")
        #expect(QuietHours.minute("23:59") == 1_439 && QuietHours.text(425) == "07:05")
    }

    @Test("N2: a host that is slow gets its share of what is under way, and the others go on")
    func lanes() {
        var lanes = SendingLanes()
        #expect(!lanes.mayClaim)
        lanes.look()
        #expect(lanes.mayClaim && lanes.full.isEmpty)
        lanes.begin(Array(repeating: "slow", count: SendingLanes.batch))
        #expect(lanes.mayClaim && lanes.full == ["slow"])
        lanes.begin(["quick"])
        // Less than a batch is all that there is.
        #expect(!lanes.mayClaim)
        lanes.end("quick")
        #expect(!lanes.mayClaim)
        lanes.end("slow")
        #expect(lanes.mayClaim && lanes.full.isEmpty)
        for number in 0..<5 { lanes.begin(Array(repeating: "host-\(number)", count: SendingLanes.batch)) }
        // There is no room for another batch.
        #expect(!lanes.mayClaim)
        for _ in 0..<SendingLanes.batch { lanes.end("host-0") }
        #expect(lanes.mayClaim)
    }
}
