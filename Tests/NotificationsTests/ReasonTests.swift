import Contracts
import Foundation
import Logging
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Why things ended, in words")
struct ReasonTests {
    private let sample = Sample()

    private func ended(
        _ state: OrderSnapshot.State, by: OrderSnapshot.Actor, _ reason: String?, isAtDesk: Bool = false
    ) -> OrderSnapshot {
        sample.snapshot(state, version: 5, by: by) { order in
            order.reason = reason
            if isAtDesk { (order.market, order.kind, order.provider) = ("edencare", "homeCare", nil) }
        }
    }

    private func items(_ event: any OrderEvent) throws -> [String: Notice] {
        let items = try OrderNotices(event).all().filter { $0.kind == .inbox }
        // Both parties may have the same.
        return Dictionary(items.map { ($0.label ?? "", $0) }) { first, _ in first }
    }

    @Test("O8, O3, P7: who is told of an end is told the reason, in the market's words or in those of the other")
    func said() throws {
        let cases: [(any OrderEvent, String, String)] = [
            (
                OrderCancelled(order: ended(.cancelled, by: .customer, "I am in Jeddah")),
                "order.cancelled-by-other.because", "I am in Jeddah"
            ),
            (
                OrderCancelled(order: ended(.cancelled, by: .provider, "The car broke down")),
                "order.cancelled-by-other.because", "The car broke down"
            ),
            (
                OrderCancelled(order: ended(.cancelled, by: .admin, "given-up")), "order.cancelled.because",
                "cannot do it after all"
            ),
            (OrderRefused(order: ended(.refused, by: .provider, "Too far")), "order.refused.because", "Too far"),
            (
                OrderRefused(order: ended(.refused, by: .admin, "Nobody speaks Cree", isAtDesk: true)),
                "order.refused-at-desk.because", "Nobody speaks Cree"
            ),
        ]
        for (event, topic, words) in cases {
            let notice = try #require(try items(event)[topic], "\(topic)")
            #expect(notice.payload.contains(words), "\(notice.payload)")
        }
        // That somebody declined is in the subject.
        for reason in [nil, "declined"] {
            let told = try items(OrderRefused(order: ended(.refused, by: .provider, reason)))
            #expect(Array(told.keys) == ["order.refused"])
        }
    }

    @Test("O8, P7: a report that ends an order before it is paid is told as a report")
    func reported() throws {
        let reason = try #require(Market.assef.reportReasons(of: .customer).first?.id)
        let told = try items(OrderCancelled(order: ended(.cancelled, by: .customer, reason)))
        let notice = try #require(told["order.reported.over"])
        #expect(notice.account == sample.provider && told.count == 1)
        #expect(notice.payload.contains(Market.assef.words(for: reason)?.text(in: "ar") ?? "?"))
    }

    @Test("P7, N3: an event of the stream has its reason in the reader's words beside the slug, and own words alone")
    func streamed() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in NotificationsService.catalogues { try catalogue.add(language, json: json) }
        let texts = StreamTexts(
            inbox: InboxTexts(catalogue: catalogue), markets: { Market.named($0) }, logger: TestThreads.logger)
        func text(_ reason: String?, _ language: String) throws -> String {
            let event = OrderExpired(order: ended(.expired, by: .system, reason))
            let state = try #require(
                try OrderNotices(event).all().first { $0.kind != .inbox && $0.account == sample.customer })
            return texts.text(
                StoredEvent(
                    stream: 1, seq: 1, kind: "order", language: language,
                    content: .told(label: state.label, payload: state.payload)), fallback: .english)
        }
        #expect(try text("payment-window-over", "en").contains(#""reasonText":"It was not paid in time""#))
        #expect(try text("payment-window-over", "ar").contains("لم يُدفع المبلغ في الوقت المحدد"))
        #expect(try text("payment-window-over", "en").contains(#""reason":"payment-window-over""#))
        #expect(try !text("My own words", "en").contains("reasonText"))
        #expect(try !text(nil, "en").contains("reasonText"))
    }

    @Test("P7, X9: a webhook has the words of a reason in each language")
    func webhook() throws {
        let name = OrderExpired.name
        let known = try WebhookEvent(
            ended(.expired, by: .system, "nobody-found"), in: .assef, name: name, message: .timeOrdered())
        #expect(known.body.contains("Nobody was found in time") && known.body.contains("لم يُعثر على أحد"))
        let own = try WebhookEvent(
            ended(.cancelled, by: .customer, "Own words"), in: .assef, name: name, message: .timeOrdered())
        #expect(!own.body.contains("reasonTexts"))
    }

    @Test(
        "P7, O7: a notice says of a dropped visit what the series' page says",
        arguments: [
            "unknown-service", "outside-opening-hours", "outside-service-area", "price-not-agreed", "not-linked",
            "relative-left", "account-blocked", "payment-method-required", "unknown-provider", "not-a-customer",
            "customer-banned", "not-in-market",
        ])
    func series(reason: String) throws {
        let start = Date(timeIntervalSince1970: 1_772_404_200)
        let dropped = SeriesVisitDropped(
            series: .timeOrdered(), customer: .timeOrdered(), market: "edencare", day: "2026-03-02", startsAt: start,
            reason: reason, at: start)
        let notice = try #require(try SeriesNotices.notices(dropped, Market.edencare.defaults).first)
        let page = Market.words(forVisitOfSeries: reason)
        #expect(page != Market.words(forVisitOfSeries: "moon-phase"), "\(reason) has no words of its own")
        for language in MarketSettings.knownLanguages {
            #expect(notice.payload.contains(page.text(in: language).dropFirst().dropLast()), "\(notice.payload)")
        }
    }
}
