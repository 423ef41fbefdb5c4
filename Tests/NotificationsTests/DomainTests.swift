import Contracts
import Foundation
import Messaging
import ServiceKit
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("What notifications decide without IO")
struct DomainTests {
    @Test("N3: a stream begins where the client was, and tells when that is gone")
    func starts() {
        let cases: [(wanted: Int?, last: Int, oldest: Int?, after: Int, missed: Bool)] = [
            (nil, 0, nil, 0, false), (nil, 9, 3, 9, false), (0, 0, nil, 0, false), (0, 9, 1, 0, false),
            (0, 9, 2, 1, true), (2, 9, 3, 2, false), (1, 9, 3, 2, true), (9, 9, nil, 9, false), (8, 9, nil, 9, true),
            (10, 9, 3, 9, true), (1, 0, nil, 0, true),
        ]
        for one in cases {
            let start = StreamStart(wanted: one.wanted, last: one.last, oldestKept: one.oldest)
            #expect(start.after == one.after && start.hasMissed == one.missed, "\(one)")
        }
        #expect(StreamStart.number("0") == 0)
        #expect(StreamStart.number("123") == 123)
        for text in ["", "-1", "+1", "1 ", "1.0", "x", "٣", "1234567890123456789"] {
            #expect(StreamStart.number(text) == nil, "\(text)")
        }
    }

    @Test("N3: an event is written as the standard asks")
    func events() {
        #expect(ServerSentEvent("order", id: 7, data: "{}").text == "id: 7\nevent: order\ndata: {}\n\n")
        #expect(ServerSentEvent("closing", retryMilliseconds: 5).text == "retry: 5\nevent: closing\ndata: {}\n\n")
        #expect(ServerSentEvent.heartbeat.hasPrefix(":") && ServerSentEvent.heartbeat.hasSuffix("\n\n"))
    }

    @Test("members are added to a JSON object whatever their text holds")
    func json() throws {
        let hostile = "quote \" backslash \\ line\nreturn\r tab\t bell\u{7} null\u{0} \u{2028} نورة 🩺"
        for object in ["{}", "{\"a\":1}"] {
            let text = JSONObject(object).adding([.text("name", hostile), .number("count", -3)]).text
            #expect(!text.contains("\n"))
            let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(read["name"] as? String == hostile)
            #expect(read["count"] as? Int == -3)
            #expect(read["a"] as? Int == (object == "{}" ? nil : 1))
        }
        #expect(JSONObject("{}").adding([]).text == "{}")
    }

    @Test("P7: amounts have their currency's decimal places and name")
    func money() {
        #expect(MoneyText.text(15_050, "SAR", in: "en") == "150.50 SAR")
        #expect(MoneyText.text(5, "SAR", in: "ar") == "0.05 ر.س")
        #expect(MoneyText.text(-1_234, "SAR", in: "en") == "-12.34 SAR")
        #expect(MoneyText.text(1_500, "KWD", in: "en") == "1.500 KWD")
        #expect(MoneyText.text(900, "JPY", in: "ar") == "900 JPY")
        for (code, currency) in Currency.all {
            let text = MoneyText.text(0, code, in: "en").split(separator: " ").first ?? ""
            #expect(text.utf8.count == (currency.minorDigits == 0 ? 1 : currency.minorDigits + 2), "\(code)")
        }
        #expect(MoneyText.text(.min, "SAR", in: "en") == "-92233720368547758.08 SAR")
    }

    @Test("P7: arguments survive storage and are put into either language")
    func arguments() throws {
        let all: [String: TextArgument] = [
            "text": .text("نورة"), "words": .words([["en": "Injection", "ar": "الحقن"], ["en": "Care"]]),
            "money": .money(amount: 100, currency: "SAR"), "number": .number(3),
        ]
        let data = try JSONEncoder().encode(all)
        let read = try JSONDecoder().decode([String: TextArgument].self, from: data)
        #expect(read == all)
        #expect(read["words"]?.text(in: "ar") == "الحقن، Care")
        #expect(read["words"]?.text(in: "en") == "Injection, Care")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TextArgument.self, from: Data("{}".utf8)) }
    }

    @Test("N7: that a provider is near is as old as its message; what changes the order as old as the change")
    func nearbyTime() throws {
        let (sample, message) = (Sample(), UUID.timeOrdered())
        let told = Date(timeIntervalSince1970: Double(try #require(message.timeMilliseconds)) / 1_000)
        let nearby = OrderNearby(order: sample.enRoute().order, metresLeft: 480, secondsLeft: 100)
        let notices = try OrderNotices(nearby, message: message).all()
        #expect(notices.contains { $0.kind == .inbox } && notices.allSatisfy { $0.at == told })
        let accepted = try OrderNotices(sample.accepted(), message: message).all()
        #expect(accepted.allSatisfy { $0.at == sample.accepted().order.changedAt })
    }

    @Test("processes tell each other of any number of accounts, in notifications that fit")
    func news() throws {
        let origin = UUID.timeOrdered()
        let accounts = Set((0..<1_000).map { _ in UUID.timeOrdered() })
        let payloads = StreamNotification.payloads(accounts, from: origin)
        #expect(payloads.count == 4)
        #expect(payloads.allSatisfy { $0.utf8.count < 8_000 })
        let heard = payloads.compactMap { StreamNotification($0) }
        #expect(heard.allSatisfy { $0.origin == origin })
        #expect(Set(heard.flatMap(\.accounts)) == accounts)
        #expect(StreamNotification("") == nil)
        #expect(StreamNotification("nonsense") == nil)
    }

    @Test("of a batch the older version of an order is told first, and all else stays in its order")
    func order() throws {
        let (one, other) = (Sample(), Sample())
        let notices =
            try OrderNotices(one.accepted(version: 2)).all() + OrderNotices(other.requested(version: 1)).all()
            + OrderNotices(one.requested(version: 1)).all()
        let versions = NoticeWriter.ordered(notices).filter { $0.subject == one.order }.compactMap(\.version)
        #expect(versions == [1, 1, 2, 2])
        #expect(NoticeWriter.ordered(notices).count == notices.count)
    }

    @Test("P6: each state has a label for each role; one of a newer program has its own name")
    func labels() {
        for state in OrderSnapshot.State.allCases {
            for role in [OrderSnapshot.Actor.customer, .provider] {
                let label = OrderLabel(market: "assef", state: state, role: role)
                let words = OrderLabel(label.text)?.words(in: "ar")
                #expect(words == Market.assef.label(of: state, for: role, in: "ar"))
            }
        }
        #expect(OrderLabel("assef levitating customer") == nil)
        #expect(OrderLabel(market: "nowhere", state: .arrived, role: .customer).words(in: "en") == "arrived")
    }

    @Test("P7: every topic has its words in both languages")
    func catalogues() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in NotificationsService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        for language in [Language.english, .arabic] {
            for topic in InboxTopic.allCases {
                for key in [topic.subjectKey, topic.contentKey] {
                    #expect(catalogue.keys(language).contains(key), "\(key) in \(language)")
                }
            }
        }
    }
}
