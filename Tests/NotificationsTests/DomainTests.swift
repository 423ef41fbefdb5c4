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

    @Test("N1: an item's arguments are read as they were stored, also those of a newer program and of an older one")
    func storedArguments() throws {
        func read(_ text: String) -> [String: TextArgument]? {
            // try?: nil for what this program cannot read.
            try? [String: TextArgument](stored: text)
        }
        let account = SequentialIDs().next()
        for words in [#"Anna "Nan" Smith"#, #"a\b/c"#, "two\nlines", "01890A0C-47B1-7C3A-9D52-3F6B8E1A2C4D", ""] {
            let arguments: [String: TextArgument] = [
                "reason": .text(words), words: .number(1), "by": .person(name: words, account: account),
                "service": .words([["en": words, "ar": "العناية بالجروح"], [:]]),
                "price": .money(amount: -12_050, currency: "SAR"),
            ]
            #expect(try read(arguments.stored()) == arguments)
            #expect(read(String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)) == arguments)
        }
        #expect(read(#"{"a":{"text":"x","later":1}}"#) == ["a": .text("x")])
        #expect(read(#"{"a":{"later":1}}"#) == nil && read("[]") == nil)
        #expect(read("{}") == [:])
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

    @Test(
        "I9, O7: the relative who is visited has notices where the link lets her see, of no amount and not of the unpaid"
    )
    func visitedRelative() throws {
        let sample = Sample()
        let mother = UUID.timeOrdered()
        func visit(_ state: OrderSnapshot.State, sees: Bool = true, isPaid: Bool = true) -> OrderSnapshot {
            sample.snapshot(state, version: 3, by: .system) { order in
                order.market = "edencare"
                order.kind = "homeCare"
                order.recipient = .init(account: mother, name: "Edith", sees: sees)
                order.payment = .init(method: isPaid ? "card" : nil, state: isPaid ? .held : .unpaid)
            }
        }
        func topics(_ event: any OrderEvent) throws -> [String] {
            try OrderNotices(event).all().filter { $0.account == mother }.compactMap { notice in
                #expect(notice.kind == .inbox)
                return notice.label
            }
        }
        let events: [(any OrderEvent, String)] = [
            (OrderRequested(order: visit(.requested)), "order.for-you.ordered"),
            (OrderAccepted(order: visit(.accepted), companion: nil), "order.for-you.confirmed"),
            (OrderStarted(order: visit(.inProgress)), "order.for-you.started"),
            (OrderRescheduled(order: visit(.accepted)), "order.for-you.moved"),
            (OrderCancelled(order: visit(.cancelled)), "order.for-you.off"),
            (OrderReopened(order: visit(.requested), former: nil), "order.for-you.open-again"),
        ]
        for (event, topic) in events { #expect(try topics(event) == [topic]) }
        #expect(try topics(OrderExpired(order: visit(.expired, isPaid: false))) == [])
        #expect(try topics(OrderRequested(order: visit(.requested, sees: false))) == [])
        #expect(try topics(OrderPending(order: visit(.pending))) == [])
        var unanswered = visit(.requested)
        unanswered.reason = "assignment-window-over"
        #expect(try topics(OrderReopened(order: unanswered, former: nil)) == [])
        // Of the time itself all three are reminded, the relative where she may see.
        for sees in [true, false] {
            var coming = visit(.accepted, sees: sees)
            coming.scheduledAt = sample.start + 3_600
            let told = try AppointmentNotices.notices(
                AppointmentNear(order: coming, at: sample.start), Market.edencare.defaults)
            #expect(told.map(\.account) == [sample.customer, sample.provider] + (sees ? [mother] : []))
        }
        // That the desk has nobody yet is told to both, where the relative may see.
        for sees in [true, false] {
            let told = try PersonNotices.notices(OrderNobodyYet(order: visit(.requested, sees: sees), at: sample.start))
            #expect(told.map(\.account) == [sample.customer] + (sees ? [mother] : []))
            #expect(told.last?.label == (sees ? "order.for-you.nobody-yet" : "order.nobody-yet"))
        }
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
        let doctor = OrderLabel(
            market: "assef", state: .arrived, role: .customer, kind: "visit",
            provider: Market.ProviderTitle(title: "doctor", gender: "female"))
        #expect(OrderLabel(doctor.text)?.words(in: "en") == "With doctor")
        #expect(OrderLabel(doctor.text)?.words(in: "ar") == "مع الطبيبة")
        #expect(OrderLabel("assef arrived customer visit")?.words(in: "en") == "With service provider")
        #expect(OrderLabel("assef levitating customer") == nil)
        #expect(OrderLabel(market: "nowhere", state: .arrived, role: .customer).words(in: "en") == "arrived")
    }

    @Test("O3: a decision leaves a reported visit the word that its report gave it; other kinds say how they ended")
    func decidedLabel() throws {
        var order = Sample().decided(.payProvider, .completed, 0)
        let visit = try OrderNotices(OrderCompleted(order: order)).all().filter { $0.kind == .order }
        #expect(visit.count == 2)
        #expect(visit.allSatisfy { $0.label.flatMap(OrderLabel.init)?.words(in: "en") == "Cancelled" })
        (order.market, order.kind) = ("carrepsa", "parcel")
        #expect(order.labelState == .completed)
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
