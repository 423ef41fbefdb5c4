import Contracts
import Foundation
import NIOHTTP1
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Orders as admins see them", .timeLimit(.minutes(15)))
struct OrderTests {
    @Test(
        "A1, X13: an order whose events come in any order and again is whole: parties, companion, money, ratings, timeline"
    )
    func whole() async throws {
        try await AdminFixture.running { fixture async throws in
            let story = Story()
            var generator = SeededGenerator()
            var events = story.events.map { (UUID.timeOrdered(), $0) }
            events += events.shuffled(using: &generator).prefix(6)
            for (id, event) in events.shuffled(using: &generator) { try await fixture.tell(event, id: id) }
            let path = "/admin/v1/orders/\(story.order.text)"
            try await eventually(
                "the whole timeline is there", value: { try await fixture.send(.GET, path, as: fixture.admin).text }
            ) {
                ((try? JSONValue(parsing: Array($0.utf8)))?["timeline"]?.array?.count ?? 0) == story.events.count
            }
            let order = try await fixture.read(path)
            #expect(order["state"]?.string == "completed", "\(generator)")
            #expect(order["label"]?.string == "Completed")
            #expect(order["version"]?.integer == 7)
            #expect(order["companion"]?.string == "Huda Salem")
            #expect(order["customer"]?["name"]?.string == "Salem")
            #expect(order["provider"]?["account"]?.string == story.provider.account.text)
            #expect(order["services"]?.array?.first?["name"]?.string == "Wound care")
            #expect(order["money"]?["state"]?.string == "captured")
            #expect(order["money"]?["method"]?.string == "card")
            #expect(order["money"]?["stateText"]?.string == "Paid" && order["money"]?["methodText"]?.string == "Card")
            #expect(order["kindName"]?.string == "Home visit")
            #expect(order["payment"]?["stateText"]?.string == "Paid", "\(order)")
            #expect(order["money"]?["providerShare"]?["amount"]?.integer == 10_200)
            #expect(order["money"]?["platformShare"]?["amount"]?.integer == 1_800)
            #expect(order["money"]?["heldAt"]?.string == Timestamp.text(story.time(3)))
            #expect(order["money"]?["capturedAt"]?.string == Timestamp.text(story.time(60)))
            #expect(order["ratings"]?.array?.compactMap { $0["stars"]?.integer } == [5, 4])
            #expect(order["ratings"]?.array?.first?["serviceStars"]?.integer == 4)
            let timeline = order["timeline"]?.array ?? []
            #expect(
                timeline.compactMap { $0["name"]?.string } == story.events.map { type(of: $0).name.text },
                "\(generator)")
            #expect(Set(timeline.compactMap { $0["service"]?.string }) == ["dispatch", "wallet"])
            #expect(timeline[2]["reason"]?.string == "card-declined")
            let arabic = try await fixture.send(
                .GET, path, as: fixture.master, headers: ["Accept-Language": "ar"])
            #expect(try arabic.json["label"]?.string == "مكتمل")
            #expect(try arabic.json["payment"]?["methodText"]?.string == "بطاقة")
            // No slug is without words, in either language.
            for entries in [timeline, try arabic.json["timeline"]?.array ?? []] {
                #expect(entries.count == timeline.count)
                for entry in entries {
                    #expect(entry["text"]?.string?.contains(".") == false, "\(entry)")
                    #expect((entry["stateText"] == nil) == (entry["state"] == nil), "\(entry)")
                    #expect(entry["stateText"] == nil || entry["stateText"] != entry["state"], "\(entry)")
                    #expect((entry["reasonText"] == nil) == (entry["reason"] == nil), "\(entry)")
                }
            }
            #expect(timeline[2]["reasonText"]?.string == "The card was declined")
        }
    }

    @Test("P7, X13: whatever an order's timeline tells has words in both languages: each event, state and reason")
    func words() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in AdminService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        let told: [any Message.Type] = [
            PaymentHeld.self, PaymentRefused.self, PaymentCaptured.self, PaymentReleased.self, RatingGiven.self,
            ReportOpened.self,
        ]
        let names = AllMessages.orderEvents.map { $0.name.text } + told.map { $0.name.text }
        for language in [Language.english, .arabic] {
            for market in Market.all {
                for kind in market.kinds {
                    let words = TimelineWords(
                        catalogue: catalogue, market: market, kind: kind.id, language: language)
                    for name in names {
                        #expect(words.event(name) != name, "\(name)")
                    }
                    for state in OrderSnapshot.State.allCases {
                        let text = words.state(state.rawValue, of: OrderAccepted.name.text)
                        #expect(text != nil && text != state.rawValue, "\(market.id) \(kind.id) \(state)")
                    }
                    for state in [PaymentSnapshot.State.due, .authorising, .held, .captured, .released] {
                        let text = words.state(state.rawValue, of: PaymentHeld.name.text)
                        #expect(text != nil && text != state.rawValue, "\(state)")
                    }
                    for reason in OrderSnapshot.reasons where market.reportReasons.allSatisfy({ $0.id != reason }) {
                        let isOthers = Market.all.contains { $0.reportReasons.contains { $0.id == reason } }
                        #expect(words.reason(reason) != nil || isOthers, "\(market.id) \(reason)")
                    }
                    #expect(words.reason("I was ill") == nil)
                }
            }
        }
    }

    /// What the tables hold of an order, without the ids of messages.
    private struct Tables: Equatable {
        let snapshot: OrderSnapshot?
        let companion: String?
        let endedAt: Date?
        let payment: PaymentRow?
        let ratings: Set<RatingRow>
        let events: [String]

        init(_ pool: PostgresPool, _ order: UUID) async throws {
            let exported = try await pool.query(
                ExportOrders(filter: OrderFilter(market: "assef"), after: .oldest, limit: 1_000)
            ).first { $0.order.position.id == order }
            snapshot = try exported?.order.order()
            companion = exported?.order.companion
            endedAt = exported?.endedAt
            payment = try await pool.first(ShowPayment(order: order))
            ratings = Set(try await pool.query(ListRatings(order: order)))
            events = try await pool.query(ListOrderEvents(order: order)).map(\.name)
        }
    }

    @Test("A1: whatever the order and the repeats of the events, the tables end the same")
    func anyOrder() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool { pool async throws in
                var generator = SeededGenerator()
                for round in 0..<40 {
                    let story = Story()
                    let events = story.events.map { (UUID.timeOrdered(), $0) }
                    // The first round is in order and once; what it leaves is checked above.
                    let told =
                        round == 0
                        ? events : (events + events.shuffled(using: &generator).prefix(5)).shuffled(using: &generator)
                    for (id, event) in told {
                        try await pool.withTransaction { try record(event, id, $0) }
                    }
                    let tables = try await Tables(pool, story.order)
                    #expect(
                        tables.snapshot
                            == story.snapshot(
                                7, .completed, minutes: 61, by: .system,
                                payment: .init(method: "card", state: .captured)), "\(generator)")
                    #expect(tables.companion == "Huda Salem", "\(generator)")
                    #expect(tables.endedAt == story.time(55), "\(generator)")
                    #expect(tables.payment?.state == "captured", "\(generator)")
                    #expect(tables.payment?.capturedAt == story.time(60), "\(generator)")
                    #expect(tables.payment?.heldAt == story.time(3), "\(generator)")
                    #expect(tables.payment?.platformShare == 1_800, "\(generator)")
                    #expect(tables.ratings.count == 2, "\(generator)")
                    #expect(tables.events == story.events.map { type(of: $0).name.text }, "\(generator)")
                }
            }
        }
    }

    @Test("A1: orders are listed newest first, by state, customer, provider and day, page by page")
    func lists() async throws {
        try await AdminFixture.running { fixture async throws in
            // 23:30 in Riyadh, and an hour later on the next day.
            let evening = Date(timeIntervalSince1970: 1_772_397_000)
            let customers = [UUID.timeOrdered(), .timeOrdered()]
            let providers = [UUID.timeOrdered(), .timeOrdered()]
            for number in 0..<12 {
                var story = Story()
                story.customer.account = customers[number % 2]
                story.provider.account = providers[number % 3 == 0 ? 0 : 1]
                story.requestedAt = number < 6 ? evening : evening + 3_600
                let state: OrderSnapshot.State = number % 4 == 0 ? .cancelled : .accepted
                let snapshot = story.snapshot(number + 1, state, minutes: 1)
                try await fixture.pool.withTransaction {
                    try record(OrderAccepted(order: snapshot, companion: nil), .timeOrdered(), $0)
                }
            }
            func count(_ query: String) async throws -> Int {
                var total = 0
                var seen: Set<String> = []
                var cursor: String?
                repeat {
                    let page = try await fixture.read(
                        "/admin/v1/markets/assef/orders?limit=5&\(query)" + (cursor.map { "&cursor=\($0)" } ?? ""))
                    total += page.items.count
                    seen.formUnion(page.items.compactMap { $0["order"]?.string })
                    cursor = page["next"]?.string
                } while cursor != nil
                #expect(seen.count == total)
                return total
            }
            #expect(try await count("") == 12)
            #expect(try await count("state=cancelled") == 3)
            #expect(try await count("customer=\(customers[0].text)") == 6)
            #expect(try await count("customer=\(customers[0].text)&state=cancelled") == 3)
            #expect(try await count("customer=\(customers[1].text)&state=cancelled") == 0)
            #expect(try await count("provider=\(providers[0].text)") == 4)
            #expect(try await count("provider=\(providers[0].text)&state=accepted") == 3)
            #expect(try await count("customer=\(customers[0].text)&provider=\(providers[0].text)") == 2)
            #expect(try await count("from=2026-03-01&to=2026-03-01") == 6)
            #expect(try await count("from=2026-03-02&to=2026-03-02&state=accepted") == 5)
            #expect(try await count("from=2026-03-03&to=2026-03-09") == 0)
            #expect(try await count("state=completed") == 0)
        }
    }

    @Test("Q7, P9: an order of another market, or none, is not there; a look at one is recorded")
    func notMine() async throws {
        try await AdminFixture.running { fixture async throws in
            let story = Story()
            try await fixture.pool.withTransaction { try record(story.events[0], .timeOrdered(), $0) }
            let stranger = TestCaller(roles: [MarketRole(market: "hajji", role: "admin")])
            let path = "/admin/v1/orders/\(story.order.text)"
            #expect(try await fixture.send(.GET, path, as: fixture.admin).status == 200)
            #expect(try await fixture.send(.GET, path, as: fixture.master).status == 200)
            for (path, caller) in [
                (path, stranger), ("/admin/v1/orders/\(UUID().uuidString)", fixture.admin),
                ("/admin/v1/orders/nonsense", fixture.admin),
            ] {
                let answer = try await fixture.send(.GET, path, as: caller)
                #expect(answer.status == 404)
                #expect(!answer.text.contains("Salem"))
            }
            // A look is in the audit log; a refused one is not.
            let looks = try await fixture.read("/admin/v1/audit?action=order.viewed").items
            #expect(looks.allSatisfy { $0["subject"]?.string == story.order.text })
            #expect(try await fixture.read("/admin/v1/audit").items.isEmpty, "looks are left out unless asked for")
            #expect(
                Set(looks.compactMap { $0["by"]?["account"]?.string })
                    == [fixture.admin.account.text, fixture.master.account.text])
        }
    }

    @Test("A5, P8: an order shows no card, no contact and no place")
    func noSecrets() async throws {
        try await AdminFixture.running { fixture async throws in
            let story = Story()
            for event in story.events {
                try await fixture.pool.withTransaction { try record(event, .timeOrdered(), $0) }
            }
            let order = try await fixture.read("/admin/v1/orders/\(story.order.text)")
            func names(_ value: JSONValue) -> Set<String> {
                switch value {
                case .object(let members):
                    members.reduce(into: Set(members.keys)) { $0.formUnion(names($1.value)) }
                case .array(let values): values.reduce(into: Set()) { $0.formUnion(names($1)) }
                default: []
                }
            }
            let found = names(order)
            #expect(found.isSuperset(of: ["money", "providerShare", "timeline"]))
            for word in [
                "card", "lastFour", "number", "cvv", "mobile", "phone", "email", "latitude", "longitude", "place",
            ] {
                #expect(!found.contains(word))
            }
        }
    }
}

/// Does with an event what its handler does.
func record(_ event: any Message, _ id: UUID, _ transaction: PostgresTransaction) throws {
    switch event {
    case let event as any OrderEvent: RecordOrder.event(event, message: id, in: transaction)
    case let event as PaymentHeld: RecordPayment.held(event, message: id, in: transaction)
    case let event as PaymentRefused: RecordPayment.refused(event, message: id, in: transaction)
    case let event as PaymentCaptured: RecordPayment.captured(event, message: id, in: transaction)
    case let event as PaymentReleased: RecordPayment.released(event, message: id, in: transaction)
    case let event as RatingGiven: RecordRating.given(event, message: id, in: transaction)
    default: Issue.record("\(type(of: event)) is not about an order")
    }
}
