import Contracts
import Foundation
import HTTPTypes
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: how series are paid", .timeLimit(.minutes(15)))
struct SeriesPaymentTests {
    /// In the day after tomorrow, so that its first visits are ordered at once.
    private static let soon = SeriesRouteTests.firstDay.advanced(by: -19)

    private static func begin(
        _ ground: PlacesGround, _ payment: String, as customer: UUID, rule: String = "FREQ=DAILY;COUNT=2"
    ) async throws -> ProviderAnswer {
        try await SeriesRouteTests.ask(
            ground, "POST", "series", SeriesRouteTests.body(rule: rule, first: soon, payment: payment), as: customer)
    }

    private static func prices(_ ground: PlacesGround, _ price: Int) async throws {
        let value = "\(SeriesRouteTests.service)=\(price)"
        try await ground.pool.execute(PutMarketSetting(market: "edencare", key: "servicePrices", value: value))
        try await ground.markets.refresh()
    }

    @Test("O7: a series asks for its way of paying when it begins, and of a card for its owner's consent")
    func asks() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(InsertPerson(account: customer, name: "Ada"))
            let card = UUID.timeOrdered().text
            let cases = [
                (#""payment":"cash""#, "/payment", "not-a-choice"),
                (#""payment":"card""#, "/card", "required"),
                (#""payment":"card","card":"\#(card)""#, "/consent", "required"),
                (#""payment":"card","card":"\#(card)","consent":false"#, "/consent", "consent-required"),
            ]
            for (payment, field, code) in cases {
                let answer = try await Self.begin(ground, payment, as: customer)
                #expect(answer.status == 422 && answer.codes[field] == code, "\(answer.json)")
            }
            #expect(try await SeriesRouteTests.ask(ground, "GET", "series", as: customer).items.isEmpty)
            let other = try await Self.begin(ground, #""payment":"wallet","total":1"#, as: customer)
            #expect(other.status == 409 && other.slug == "price-changed", "\(other.json)")
            let made = try await Self.begin(ground, #""payment":"wallet""#, as: customer)
            #expect(made.status == 201 && made.json["payment"] == "wallet" && made.json["card"] == nil)
            #expect(made.json["needsAgreement"] == false && made.json["agreedPrice"] == made.json["price"])
        }
    }

    @Test("O7, W3: each visit carries what its customer agreed to, and waits for its payment until a day before it")
    func carried() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(InsertPerson(account: customer, name: "Ada"))
            for payment in ["wallet", "card"] {
                let said = payment == "wallet" ? #""payment":"wallet""# : SeriesRouteTests.card
                let made = try await Self.begin(ground, said, as: customer)
                let id = try #require(made.json["series"]?.asText)
                let visits = try await SeriesRouteTests.ask(ground, "GET", "series/\(id)/visits", as: customer).items
                #expect(visits.count == 2)
                for visit in visits {
                    let order = try #require(visit["order"]?.asText.flatMap { UUID(uuidString: $0) })
                    let stored = try #require(try await ground.pool.first(FindOrder(order: order))?.details().order)
                    let snapshot = OrderSnapshot(stored)
                    #expect(snapshot.consent?.method.rawValue == payment && snapshot.consent?.upTo == stored.total)
                    // A card's is for older wallets, too; of the wallet they would charge a card.
                    #expect(snapshot.paysByConsent == (payment == "card" ? true : nil))
                    #expect(stored.deadline == stored.scheduledAt?.addingTimeInterval(-86_400))
                    #expect(visit["orderState"] == "pending" && visit["paymentState"] == "unpaid")
                    #expect(visit["payUntil"]?.asText.flatMap(Timestamp.parse) == stored.deadline)
                    // No care partner is shown it.
                    #expect(snapshot.part(of: .provider).consent == nil)
                }
            }
        }
    }

    @Test("O7: a visit that is sooner than in a day can be paid as long as a caller's, and never after its time")
    func windows() throws {
        let settings = Market.edencare.defaults
        let windows = settings.orderWindows
        let now = Date(timeIntervalSince1970: 1_795_413_600)
        func end(_ hours: Double) -> Double {
            windows.end(
                of: .payment, from: now, scheduled: now + hours * 3_600, isUnattended: true
            ).timeIntervalSince(now) / 3_600
        }
        #expect(end(144) == 120 && end(30) == 6 && end(20) == 20)
        #expect(end(24.1) == Double(settings.paymentWindowSeconds) / 3_600)
        let single = windows.end(of: .payment, from: now, scheduled: now + 144 * 3_600)
        #expect(single == now + Double(settings.paymentWindowSeconds))
    }

    @Test("O7: what costs more than was agreed to is not ordered before a new yes; with it the visit is ordered")
    func risen() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(InsertPerson(account: customer, name: "Ada"))
            try await Self.prices(ground, 5_000)
            let made = try await Self.begin(ground, #""payment":"wallet""#, as: customer, rule: "FREQ=DAILY;COUNT=8")
            let id = try #require(made.json["series"]?.asText)
            let series = try #require(UUID(uuidString: id))
            func visits(_ state: JSONValue) async throws -> [JSONValue] {
                try await SeriesRouteTests.ask(ground, "GET", "series/\(id)/visits", as: customer)
                    .items.filter { $0["state"] == state }
            }
            let before = try await visits("requested").count
            try await Self.prices(ground, 6_000)
            let later = Date.thisMillisecond + 86_400
            try await ground.pool.withTransaction { try await ground.parts.advanceSeries(series, at: later, in: $0) }
            #expect(try await visits("requested").count == before)
            #expect(try await visits("planned").first?["reason"] == "price-rose")
            let told = try await ground.pool.query(ReadEvents(order: id)).filter {
                $0.name == SeriesPriceRose.name.text
            }
            #expect(told.count == 1 && told.first?.payload.contains("6000") == true, "\(told)")
            let shown = try await SeriesRouteTests.ask(ground, "GET", "series/\(id)", as: customer)
            #expect(shown.json["needsAgreement"] == true && shown.json["price"]?["amount"] == 6_000)

            func agree(_ total: Int, as caller: UUID) async throws -> ProviderAnswer {
                try await SeriesRouteTests.ask(
                    ground, "PUT", "series/\(id)/price", #"{"total":\#(total),"currency":"CAD"}"#, as: caller)
            }
            #expect(try await agree(6_000, as: .timeOrdered()).status == 404)
            let stale = try await agree(5_500, as: customer)
            #expect(stale.status == 409 && stale.json["price"]?["amount"] == 6_000, "\(stale.json)")
            #expect(try await agree(6_000, as: customer).json["needsAgreement"] == false)
            try await ground.pool.withTransaction { try await ground.parts.advanceSeries(series, at: later, in: $0) }
            #expect(try await visits("requested").count == before + 1)
            let orders = try await visits("requested").compactMap { $0["order"]?.asText }
            let last = try #require(orders.last.flatMap { UUID(uuidString: $0) })
            #expect(try await ground.pool.first(FindOrder(order: last))?.details().order.total == 6_000)
            // What had been ordered keeps its price, and what costs less is ordered without asking.
            try await Self.prices(ground, 4_000)
            try await ground.pool.withTransaction {
                try await ground.parts.advanceSeries(series, at: later + 86_400, in: $0)
            }
            #expect(try await visits("requested").count == before + 2)
        }
    }

    @Test(
        "O7, N1: of a price that rose a customer hears six and two days before the visit; a day before it is given up")
    func notices() async throws {
        try await SeriesWorld.with { world in
            world.engine.price.withLock { $0 = Money(amount: 5_000, currency: "SAR") }
            world.engine.answer.withLock { $0 = .priceRose(to: 6_000, currency: "SAR") }
            // Ten o'clock in six days: an hour less than that away soon.
            let series = try await world.begin(world.input("FREQ=DAILY;COUNT=1", from: "2026-11-29"))
            #expect(series.agreedTotal == 5_000)
            let visit = try #require(try await world.visits(series.id).first)
            var looks: [Double] = []
            for _ in 0..<6 {
                guard let due = try await world.due(series.id), looks.last != visit.startsAt.timeIntervalSince(due)
                else { break }
                looks.append(visit.startsAt.timeIntervalSince(due))
                try await world.fire(series.id, at: due)
                // Looked at again, nothing is told twice.
                try await world.fire(series.id, at: due)
            }
            // At last it ends: nothing more comes of it.
            #expect(looks == [6, 2, 1, -1].map { $0 * SeriesTests.dayLength })
            let told = try await world.told(series.id, SeriesPriceRose.self)
            #expect(told.map(\.isLast) == [false, true])
            #expect(told.allSatisfy { $0.until == visit.startsAt - SeriesTests.dayLength && $0.agreed.amount == 5_000 })
            #expect(try await world.visits(series.id).map(\.state) == [.refused])
            #expect(try await world.dropped(series.id).map(\.reason) == ["price-not-agreed"])
        }
    }

    @Test("O7: a series is paid otherwise from the next visit on, as its customer says")
    func changed() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            let made = try await SeriesRouteTests.ask(ground, "POST", "series", SeriesRouteTests.body, as: customer)
            let path = "series/\(try #require(made.json["series"]?.asText))"
            let wrong = try await SeriesRouteTests.ask(
                ground, "PUT", path + "/payment", #"{"payment":"card"}"#, as: customer)
            #expect(wrong.status == 422 && Set(wrong.codes.keys) == ["/card", "/consent"], "\(wrong.json)")
            let wallet = try await SeriesRouteTests.ask(
                ground, "PUT", path + "/payment", #"{"payment":"wallet"}"#, as: customer)
            #expect(wallet.status == 200 && wallet.json["payment"] == "wallet" && wallet.json["card"] == nil)
        }
    }

    @Test("O7, P9: an admin begins a series for a caller who is a customer of the market, and that is told for the log")
    func caller() async throws {
        try await PlacesGround.run { ground in
            let (admin, caller) = (UUID.timeOrdered(), UUID.timeOrdered())
            func begin(_ roles: [String]) async throws -> ProviderAnswer {
                try await ground.ask(
                    .post, "series",
                    SeriesRouteTests.body(payment: #""payment":"card""#, more: #","customer":"\#(caller.text)""#),
                    as: admin, roles, in: "edencare")
            }
            #expect(try await begin(["customer"]).status == 403)
            #expect(try await begin(["admin"]).codes == ["/customer": "not-a-customer"])
            try await ground.pool.execute(InsertPerson(account: caller, name: "Ada"))
            _ = try await ground.pool.query(StoreCustomerRoles(account: caller, markets: ["edencare"]))
            let made = try await begin(["admin"])
            #expect(made.status == 201 && made.json["payment"] == "card", "\(made.json)")
            let id = try #require(made.json["series"]?.asText)
            let told = try await ground.pool.query(ReadEvents(order: id))
            #expect(told.map(\.name) == [SeriesManaged.name.text] && told.first?.payload.contains(admin.text) == true)
            #expect(told.first?.payload.contains(#""act":"begun""#) == true, "\(told)")
            #expect(try await SeriesRouteTests.ask(ground, "GET", "series", as: caller).items.count == 1)
        }
    }

    @Test(
        "I12, O7: with the customer's role in the market the series end, his own and those for him, and who is left is told"
    )
    func removed() async throws {
        try await SeriesWorld.with { world in
            let (ada, edith) = (UUID.timeOrdered(), UUID.timeOrdered())
            func person(_ account: UUID, _ version: Int, _ markets: [String]) -> AccountSnapshot {
                AccountSnapshot(
                    account: account, version: version, name: "A", gender: nil, language: "en",
                    roles: markets.map { AccountSnapshot.Role(market: $0, role: "customer", verified: true) })
            }
            func tell(_ account: UUID, _ version: Int, _ markets: [String]) async throws {
                let told = person(account, version, markets)
                try await world.pool.withTransaction {
                    try await PeopleProjection.keep(told, by: { .thisMillisecond }, $0)
                }
            }
            for account in [ada, edith] { try await tell(account, 1, ["assef", "carrepsa"]) }
            let own = try await world.begin(world.input("FREQ=DAILY", customer: edith))
            let forHer = try await world.begin(world.input("FREQ=DAILY", customer: ada, recipient: edith))
            let others = try await world.begin(world.input("FREQ=DAILY", customer: ada))
            func fire() async throws {
                let subject = "\(edith.text) assef"
                try await world.pool.withTransaction {
                    try await EndSeries.fire(subject, at: SeriesWorld.now, in: $0)
                }
            }
            try await tell(edith, 2, ["carrepsa"])
            #expect(try await world.due("\(edith.text) assef", EndSeries.deadlineKind))
            // A role that is back by then has lost nothing.
            try await tell(edith, 3, ["assef", "carrepsa"])
            try await fire()
            #expect(try await world.pool.first(FindSeries(series: own.id))?.state == "active")
            try await tell(edith, 4, ["carrepsa"])
            try await fire()
            for (series, reason) in [(own, "customer-removed"), (forHer, "relative-removed")] {
                let row = try #require(try await world.pool.first(FindSeries(series: series.id)))
                #expect(row.state == "ended" && row.endedReason == reason)
                #expect(try await world.told(series.id, SeriesEnded.self).map(\.reason) == [reason])
                #expect(try await world.visits(series.id).allSatisfy { $0.state != .planned })
            }
            #expect(try await world.pool.first(FindSeries(series: others.id))?.state == "active")
        }
    }

    @Test(
        "O12: a deadline counts by the time at which it is due, also where this program's clock is behind the database's"
    )
    func clock() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(InsertPerson(account: customer, name: "Ada"))
            let made = try await Self.begin(ground, #""payment":"wallet""#, as: customer, rule: "FREQ=DAILY;COUNT=8")
            let id = try #require(made.json["series"]?.asText)
            let due = try #require(try await ground.pool.query(ReadDeadlines(order: id)).first?.dueAt)
            #expect(due > Date())
            let fire = try #require(ground.parts.deadlineHandlers[AdvanceSeries.deadlineKind])
            try await ground.pool.withTransaction {
                try await fire(Deadline(kind: AdvanceSeries.deadlineKind, subject: id, dueAt: due), $0)
            }
            let next = try #require(try await ground.pool.query(ReadDeadlines(order: id)).first?.dueAt)
            // By its own clock it would be too early, and be set to the same time again, without a pause.
            #expect(next > due)
        }
    }

    @Test("O7: the calendar shows each visit with its order, at the time that it was moved to, in its state")
    func calendar() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(InsertPerson(account: customer, name: "Ada"))
            let made = try await Self.begin(ground, #""payment":"wallet""#, as: customer)
            let path = "series/\(try #require(made.json["series"]?.asText))/visits"
            let before = try await SeriesRouteTests.ask(ground, "GET", path, as: customer).items
            let order = try #require(before.first?["order"]?.asText.flatMap { UUID(uuidString: $0) })
            try await ground.pool.execute(MoveOrder(order: order))
            let after = try await SeriesRouteTests.ask(ground, "GET", path, as: customer).items
            let (was, moved) = (
                try #require(before.first?["startsAt"]?.asText.flatMap(Timestamp.parse)),
                try #require(after.first?["startsAt"]?.asText.flatMap(Timestamp.parse))
            )
            #expect(moved == was + 7_200 && after.first?["orderState"] == "requested")
            #expect(after.first?["paymentState"] == "held" && after.first?["payUntil"] == nil)
            #expect(after.last == before.last)
        }
    }
}

extension SeriesWorld {
    fileprivate func due(_ subject: String, _ kind: String) async throws -> Bool {
        try await pool.query(ReadDeadlines(order: subject)).contains { $0.kind == kind }
    }
}

/// It was paid, and an admin has set a time two hours later.
private struct MoveOrder: Statement {
    static let sql: SQL = """
        UPDATE orders SET scheduled_at = scheduled_at + interval '2 hours', state = 'requested', payment_state = 'held'
        WHERE id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
