import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("O7: the routes of series", .timeLimit(.minutes(15)))
struct SeriesRouteTests {
    /// Every Monday and Thursday from some weeks on.
    static let body = body()
    /// So that today's date matters little; within the year that a series may begin in.
    static let firstDay = (ZonedClock("America/Regina")?.wall(at: Date()).day ?? LocalDay(number: 0)).advanced(by: 21)

    static func body(
        rule: String = "FREQ=WEEKLY;BYDAY=MO,TH", first: LocalDay = firstDay, latitude: Double = 50.45,
        payment: String = card, more: String = ""
    ) -> String {
        """
        {"market":"edencare","services":["\(service)"],"latitude":\(latitude),"longitude":-104.6,
         "description":"Side door","rule":"\(rule)","firstDay":"\(first.text)","time":"09:30",\(payment)\(more)}
        """
    }

    static let cardID = "0195d3a0-0000-7000-8000-000000000061"
    static let card = #""payment":"card","card":"\#(cardID)","consent":true"#
    static let service = Market.edencare.services.first?.id ?? ""

    static func ask(
        _ ground: PlacesGround, _ method: String, _ path: String, _ body: String? = nil, as caller: UUID
    ) async throws -> ProviderAnswer {
        // The wallet has told of the card of `card`.
        try await ground.pool.execute(TellCards(account: caller, cards: [cardID]))
        return try await ground.ask(try #require(.init(rawValue: method)), path, body, as: caller, in: "edencare")
    }

    @Test("O7: a customer begins a series, sees its visits, moves one, skips one and ends it")
    func whole() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            let made = try await Self.ask(ground, "POST", "series", Self.body, as: customer)
            #expect(made.status == 201, "\(made.json)")
            let id = try #require(made.json["series"]?.asText)
            #expect(made.json["rule"] == "FREQ=WEEKLY;BYDAY=MO,TH" && made.json["timeZone"] == "America/Regina")
            #expect(made.json["time"] == "09:30" && made.json["state"] == "active")
            #expect(try await Self.ask(ground, "GET", "series", as: customer).items.count == 1)

            var visits = try await Self.ask(ground, "GET", "series/\(id)/visits?limit=4", as: customer).items
            #expect(visits.count == 4 && visits.allSatisfy { $0["state"] == "planned" })
            let days = visits.compactMap { $0["day"]?.asText.flatMap { LocalDay($0) } }
            #expect(days.allSatisfy { [.monday, .thursday].contains($0.weekday) && $0 >= Self.firstDay })

            let skipped = try await Self.ask(ground, "POST", "series/\(id)/visits/\(days[0].text)/skip", as: customer)
            #expect(skipped.status == 200 && skipped.json["state"] == "skipped")
            let moved = try await Self.ask(
                ground, "PUT", "series/\(id)/visits/\(days[1].text)",
                #"{"day":"\#(days[1].advanced(by: 1).text)","time":"15:00"}"#, as: customer)
            #expect(moved.status == 200 && moved.json["moved"] == true)
            // 15:00 in Regina.
            #expect(moved.json["startsAt"]?.asText?.hasPrefix("\(days[1].advanced(by: 1).text)T21:00:00") == true)
            visits = try await Self.ask(ground, "GET", "series/\(id)/visits?limit=4", as: customer).items
            #expect(visits.compactMap { $0["state"]?.asText } == ["skipped", "planned", "planned", "planned"])
            #expect(visits[1]["moved"] == true && visits[1]["day"]?.asText == days[1].text)

            let ended = try await Self.ask(ground, "POST", "series/\(id)/end", as: customer)
            #expect(ended.status == 200 && ended.json["state"] == "ended")
            let late = try await Self.ask(ground, "POST", "series/\(id)/visits/\(days[2].text)/skip", as: customer)
            #expect(late.status == 409 && late.slug == "series-ended")
            visits = try await Self.ask(ground, "GET", "series/\(id)/visits", as: customer).items
            #expect(visits.compactMap { $0["state"]?.asText } == ["skipped"])
        }
    }

    @Test("P9, O7: an admin's look at a customer's series or its visits is in the audit log; the customer's own is not")
    func looks() async throws {
        try await PlacesGround.run { ground in
            let (customer, admin) = (UUID.timeOrdered(), UUID.timeOrdered())
            let made = try await Self.ask(ground, "POST", "series", Self.body, as: customer)
            let id = try #require(made.json["series"]?.asText)
            for path in ["series/\(id)", "series/\(id)/visits"] {
                #expect(try await Self.ask(ground, "GET", path, as: customer).status == 200)
                let seen = try await ground.ask(.get, path, nil, as: admin, ["admin"], in: "edencare")
                #expect(seen.status == 200)
                let stranger = try await ground.ask(.get, path, nil, as: .timeOrdered(), ["admin"], in: "btnc")
                #expect(stranger.status == 404)
            }
            let viewed = try await ground.pool.query(ReadEvents(order: admin.text)).map {
                try JSON.wire.decode(DispatchListViewed.self, $0.payload.utf8)
            }
            #expect(viewed.map(\.list) == ["series", "series visits"])
            #expect(viewed.allSatisfy { $0.market == "edencare" && $0.filter == ["id": id] && $0.by == admin })
            #expect(try await ground.pool.query(ReadEvents(order: customer.text)).isEmpty)
        }
    }

    @Test("O7: what is wrong with a series is one problem with every wrong field, in the caller's language")
    func wrong() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            let empty = try await Self.ask(ground, "POST", "series", "{}", as: customer)
            #expect(
                Set(empty.codes.keys) == [
                    "/market", "/services", "/latitude", "/longitude", "/rule", "/firstDay", "/time", "/payment",
                ])
            let cases: [(String, String, String)] = [
                (Self.body(rule: "FREQ=YEARLY"), "/rule", "rule-not-supported"),
                (Self.body(rule: "FREQ=DAILY;COUNT=0"), "/rule", "rule-out-of-range"),
                (Self.body(rule: "FREQ=DAILY;COUNT=1;UNTIL=20300101"), "/rule", "rule-two-ends"),
                (Self.body(rule: "FREQ=DAILY;UNTIL=20200101"), "/rule", "rule-never"),
                (Self.body(latitude: 51), "/latitude", "outside-service-area"),
                (Self.body(more: #","exceptions":["2026-02-30"]"#), "/exceptions/0", "not-a-day"),
                (Self.body.replacing("09:30", with: "24:00"), "/time", "not-a-time-of-day"),
                (Self.body.replacing("09:30", with: "09:30:00"), "/time", "not-a-time-of-day"),
                (Self.body.replacing("edencare", with: "btnc"), "/market", "unknown-market"),
                (Self.body.replacing(Self.service, with: "flying"), "/services/0", "unknown-service"),
            ]
            for (body, field, code) in cases {
                let answer = try await Self.ask(ground, "POST", "series", body, as: customer)
                #expect(answer.status == 422 && answer.codes[field] == code, "\(answer.json)")
            }
            let past = try await Self.ask(
                ground, "POST", "series", Self.body(first: Self.firstDay.advanced(by: -60)), as: customer)
            #expect(past.status == 409 && past.slug == "time-passed")
            #expect(try await Self.ask(ground, "GET", "series", as: customer).items.isEmpty)
        }
    }

    @Test("O7: no two visits of a series are at one time, whether one was moved there or the rule has it there")
    func oneTime() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            let made = try await Self.ask(ground, "POST", "series", Self.body, as: customer)
            let id = try #require(made.json["series"]?.asText, "\(made.json)")
            let visits = try await Self.ask(ground, "GET", "series/\(id)/visits?limit=4", as: customer).items
            let days = visits.compactMap { $0["day"]?.asText }
            func move(_ day: String, to other: String, _ time: String) async throws -> ProviderAnswer {
                try await Self.ask(
                    ground, "PUT", "series/\(id)/visits/\(day)", #"{"day":"\#(other)","time":"\#(time)"}"#,
                    as: customer)
            }
            let taken = try await move(days[0], to: days[1], "09:30")
            #expect(taken.status == 409 && taken.slug == "visit-there" && taken.json["day"]?.asText == days[1])
            #expect(try await move(days[0], to: days[1], "11:00").status == 200)
            #expect(try await move(days[2], to: days[1], "11:00").slug == "visit-there")
            #expect(try await move(days[1], to: days[1], "11:00").slug == "visit-there")
            // The time that it has is its own.
            #expect(try await move(days[0], to: days[1], "11:00").status == 200)
            #expect(try await move(days[1], to: days[2], "12:00").status == 200)
            #expect(try await move(days[0], to: days[1], "09:30").status == 200)
        }
    }

    @Test("O7, P10: the days of a series' visits are asked for in any digits, and end with the last day that there is")
    func days() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            let made = try await Self.ask(ground, "POST", "series", Self.body, as: customer)
            let path = "series/\(try #require(made.json["series"]?.asText))/visits"
            let last = try await Self.ask(ground, "GET", "\(path)?from=9999-12-25", as: customer)
            #expect(last.status == 200 && last.items.allSatisfy { $0["day"]?.asText?.utf8.count == 10 })
            let arabic = "%D9%A2%D9%A0%D9%A9%D9%A0-%D9%A0%D9%A1-%D9%A0%D9%A1"
            #expect(try await Self.ask(ground, "GET", "\(path)?from=\(arabic)", as: customer).status == 200)
            for wrong in ["", "20261122", "2026-02-30", "10000-01-03"] {
                let answer = try await Self.ask(ground, "GET", "\(path)?from=\(wrong)", as: customer)
                #expect(answer.status == 400 && answer.codes["/from"] == "not-a-day", "\(wrong)")
            }
        }
    }

    @Test("O7: the same key begins one series")
    func repeats() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(TellCards(account: customer, cards: [Self.cardID]))
            let key = UUID().uuidString
            for _ in 0..<2 {
                let made = try await ground.ask(.post, "series", Self.body, as: customer, in: "edencare", key: key)
                #expect(made.status == 201)
            }
            #expect(try await Self.ask(ground, "GET", "series", as: customer).items.count == 1)
        }
    }
}

@Suite("O7: the visits of a series become orders", .timeLimit(.minutes(15)))
struct SeriesOrderTests {
    @Test(
        "O7, W3: what is due is an order for its time, by the owner's consent, at the desk once it is paid; once each")
    func ordered() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(InsertPerson(account: customer, name: "Ada"))
            let first = SeriesRouteTests.firstDay.advanced(by: -19)
            let made = try await ground.ask(
                .post, "series", SeriesRouteTests.body(rule: "FREQ=DAILY;COUNT=2", first: first), as: customer,
                in: "edencare")
            #expect(made.status == 201, "\(made.json)")
            let id = try #require(made.json["series"]?.asText)
            let visits = try await ground.ask(.get, "series/\(id)/visits", as: customer, in: "edencare").items
            #expect(visits.count == 2 && visits.allSatisfy { $0["state"] == "requested" })
            for visit in visits {
                let order = try #require(visit["order"]?.asText.flatMap { UUID(uuidString: $0) })
                let details = try #require(try await ground.pool.first(FindOrder(order: order))?.details())
                #expect(details.order.kind == "homeCare" && details.order.state == .pending)
                #expect(details.order.homeCare?.series == UUID(uuidString: id))
                let startsAt = try #require(visit["startsAt"]?.asText.flatMap(Timestamp.parse))
                #expect(details.order.scheduledAt == startsAt)
                let event = try #require(try await ground.pool.query(ReadEvents(order: order.text)).first)
                #expect(event.payload.contains(#""paysByConsent":true"#), "\(event.payload)")
            }
            let skipped = try await ground.ask(
                .post, "series/\(id)/visits/\(first.text)/skip", as: customer, in: "edencare")
            #expect(skipped.status == 409 && skipped.slug == "visit-ordered")
            #expect(skipped.json["order"]?.asText == visits.first?["order"]?.asText)
        }
    }

    @Test("O7: a series that could not be ordered is refused when it is asked for, and its visit when it is moved")
    func refused() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(TellCards(account: customer, cards: [SeriesRouteTests.cardID]))
            let night = SeriesRouteTests.body.replacing("09:30", with: "21:30")
            #expect(try await ground.ask(.post, "series", night, as: customer, in: "edencare").status == 422)
            let stranger = SeriesRouteTests.body(more: #","recipient":"\#(UUID.timeOrdered().text)""#)
            #expect(try await ground.ask(.post, "series", stranger, as: customer, in: "edencare").status == 422)
            #expect(try await ground.ask(.get, "series", as: customer, in: "edencare").items.isEmpty)

            let made = try await ground.ask(.post, "series", SeriesRouteTests.body, as: customer, in: "edencare")
            let id = try #require(made.json["series"]?.asText)
            let visits = try await ground.ask(.get, "series/\(id)/visits", as: customer, in: "edencare").items
            let day = try #require(visits.first?["day"]?.asText)
            let moved = try await ground.ask(
                .put, "series/\(id)/visits/\(day)", #"{"day":"\#(day)","time":"22:00"}"#, as: customer, in: "edencare")
            #expect(moved.status == 422, "\(moved.json)")
        }
    }
}

/// As the wallet's event of an account's cards, unless one is known; they are valid for long, and without consent.
struct TellCards: Statement {
    static let sql: SQL = """
        INSERT INTO payment_methods (account, has_method, version, cards)
        SELECT $1, true, 1, jsonb_agg(jsonb_build_object(
            'card', card, 'expiryMonth', 12, 'expiryYear', 2099, 'isConsented', false))
        FROM unnest($2::text[]) AS card
        ON CONFLICT DO NOTHING
        """
    let account: UUID
    let cards: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(account, cards) }
}
