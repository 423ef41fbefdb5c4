import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O2, O3: fines and reports over HTTP", .timeLimit(.minutes(15)))
struct EndingRouteTests {
    /// An order on the way, with its parties.
    private struct Case {
        let customer: OrderServer.Person
        let provider: OrderServer.Person
        let path: String
        let order: UUID
    }

    private func enRoute(_ server: OrderServer, metres: Double = 0, method: String = "card") async throws -> Case {
        let (customer, provider) = (try await server.customer(), try await server.provider())
        let path = try await server.order(customer, provider)
        #expect(try await server.post("\(path)/accept", as: provider).status == 200)
        let order = try #require(UUID(uuidString: String(path.suffix(36))))
        try await server.world.pay(order, SampleOrder.held(method: method))
        if metres > 0 { try await server.world.drive(order, metres: metres) }
        return Case(customer: customer, provider: provider, path: path, order: order)
    }

    private static func accepting(_ amount: Int, quote: String? = nil, currency: String = "SAR") -> String {
        let quote = quote.map { #", "quote": "\#($0)""# } ?? ""
        return #"{"reason": "too slow", "acceptedFine": {"amount": \#(amount), "currency": "\#(currency)"}\#(quote)}"#
    }

    @Test("O2: the fine is shown before it is confirmed, and what was shown is what is taken")
    func shown() async throws {
        try await OrderServer.with { server in
            let one = try await enRoute(server, metres: 12_345)
            let shown = try await server.get("\(one.path)/cancellation", as: one.customer)
            #expect(shown.status == 200 && shown["isFree"] == .bool(false))
            #expect(shown["fine", "amount"]?.int == 617 && shown["fine", "currency"]?.text == "SAR")
            #expect(shown["metres"]?.int == 12_345 && shown["finePerKilometre"]?.int == 50)
            let until = try #require(shown["validUntil"]?.text.flatMap(Timestamp.parse))
            #expect((0...61).contains(until.timeIntervalSinceNow))
            let quote = try #require(shown["quote"]?.text)

            let unasked = try await server.post("\(one.path)/cancel", as: one.customer)
            #expect(unasked.status == 409 && unasked.problem == "fine-not-accepted")
            #expect(unasked["fine", "amount"]?.int == 617)
            // The provider drives on.
            try await server.world.drive(one.order, metres: 13_000)
            let grown = try await server.post("\(one.path)/cancel", as: one.customer, Self.accepting(617))
            #expect(grown.status == 409 && grown.problem == "fine-grown")
            #expect(grown["fine", "amount"]?.int == 650 && grown["metres"]?.int == 13_000)
            #expect(grown["quote"]?.text != nil && grown["validUntil"]?.text != nil)
            let key = UUID().uuidString
            let body = Self.accepting(617, quote: quote)
            let cancelled = try await server.post("\(one.path)/cancel", as: one.customer, body, key: key)
            #expect(cancelled.status == 200 && cancelled["state"]?.text == "cancelled")
            #expect(cancelled["ended", "fine", "amount"]?.int == 617 && cancelled["ended", "metres"]?.int == 12_345)
            #expect(cancelled["ended", "by"]?.text == "customer" && cancelled["ended", "paidTo"]?.text == "customer")
            #expect(cancelled["ended", "reason"]?.text == "too slow" && cancelled["fine", "amount"]?.int == 617)
            let again = try await server.post("\(one.path)/cancel", as: one.customer, body, key: key)
            #expect(again.json == cancelled.json)
            let seen = try await server.get(one.path, as: one.provider)
            #expect(seen["ended"] == cancelled["ended"])
            #expect(try await server.world.events(one.order).filter { $0 == "cancelled" }.count == 1)
            try await server.world.expectConsistency()
        }
    }

    @Test("O2: the problem itself can be agreed to; quotes of others, and other currencies, are named as wrong")
    func wrongQuotes() async throws {
        try await OrderServer.with { server in
            let (one, two) = (try await enRoute(server, metres: 2_000), try await enRoute(server, metres: 2_000))
            let other = try await server.get("\(two.path)/cancellation", as: two.customer)
            let foreign = try #require(other["quote"]?.text)
            for quote in [foreign, "x", String(repeating: "A", count: 1_024)] {
                let answer = try await server.post(
                    "\(one.path)/cancel", as: one.customer, Self.accepting(100, quote: quote))
                #expect(answer.status == 422 && answer.codes == ["/quote": "not-a-quote"])
            }
            let currency = try await server.post(
                "\(one.path)/cancel", as: one.customer, Self.accepting(100, currency: "USD"))
            #expect(currency.status == 422 && currency.codes == ["/acceptedFine/currency": "other-currency"])
            let wrong = try await server.post(
                "\(one.path)/cancel", as: one.customer, #"{"acceptedFine": {"amount": -1}, "quote": 5}"#)
            #expect(
                wrong.codes == [
                    "/acceptedFine/amount": "out-of-range", "/acceptedFine/currency": "required",
                    "/quote": "not-a-text",
                ])
            let refused = try await server.post("\(one.path)/cancel", as: one.customer, language: "ar")
            #expect(refused.status == 409 && refused["title"]?.text == "للإلغاء الآن تكلفة")
            let quote = try #require(refused["quote"]?.text)
            try await server.world.drive(one.order, metres: 9_000)
            let answer = try await server.post(
                "\(one.path)/cancel", as: one.customer, Self.accepting(100, quote: quote))
            #expect(answer.status == 200 && answer["ended", "fine", "amount"]?.int == 100)
        }
    }

    @Test("P3a: a provider who waited says that nobody is there, once, and both see what it costs")
    func missed() async throws {
        try await OrderServer.with { server in
            let one = try await enRoute(server, metres: 3_000)
            #expect(try await server.post("\(one.path)/no-show", as: one.provider).status == 409)
            let arrived = try await server.post("\(one.path)/arrive", as: one.provider)
            #expect(arrived["arrivedAt"]?.text != nil)
            let early = try await server.post("\(one.path)/no-show", as: one.provider)
            #expect(early.status == 409 && early.problem == "too-early" && early["from"]?.text != nil)
            #expect(try await server.post("\(one.path)/no-show", as: one.customer).status == 403)
            try await server.world.pool.execute(ArriveEarlier(order: one.order))
            let place = try await server.world.details(one.order).order.place
            try await server.world.stand(one.provider.account, at: place, north: 310)
            let away = try await server.post("\(one.path)/no-show", as: one.provider)
            #expect(away.status == 409 && away.problem == "not-at-place")
            #expect(away["detail"]?.text?.contains("300 m") == true)
            let arabic = try await server.post("\(one.path)/no-show", as: one.provider, language: "ar")
            #expect(arabic["title"]?.text == "لا يظهر لنا أنك في المكان")
            let order = try await server.world.details(one.order).order
            try await server.world.stand(one.provider.account, at: order.place)
            let key = UUID().uuidString
            let missed = try await server.post("\(one.path)/no-show", as: one.provider, key: key)
            #expect(missed.status == 200 && missed["reason"]?.text == "customer-no-show")
            #expect(missed["ended", "by"]?.text == "provider" && missed["ended", "fine", "amount"]?.int == 150)
            #expect(try await server.post("\(one.path)/no-show", as: one.provider, key: key).json == missed.json)
            #expect(try await server.get(one.path, as: one.customer)["ended"] == missed["ended"])
            try await server.world.expectConsistency()
        }
    }

    @Test("O3, P7: a report is made once, stops the order, and each side sees it in its language")
    func reported() async throws {
        try await OrderServer.with { server in
            let one = try await enRoute(server)
            let key = UUID().uuidString
            let body = #"{"reason": "provider-late", "note": "An hour already", "cancels": true}"#
            let report = try await server.post("\(one.path)/reports", as: one.customer, body, key: key)
            #expect(report.status == 201 && report["awaitsDecision"] == .bool(true))
            #expect(report["reasonText"]?.text == "Comes much too late" && report["by"]?.text == "customer")
            let again = try await server.post("\(one.path)/reports", as: one.customer, body, key: key)
            #expect(again.json == report.json)
            let order = try await server.get(one.path, as: one.provider, language: "ar")
            #expect(order["state"]?.text == "disputed" && order["label"]?.text == "ملغى")
            #expect(order["review", "report"]?.text == order["report"]?.text && order["review", "since"] != nil)
            #expect(order["review", "text"]?.text == "ينظر أحد المشرفين في البلاغ ويبتّ في المبلغ.")
            #expect(order["report"]?.text == report["report"]?.text && order["ended"] == nil)
            #expect(order["reasonText"]?.text == "تأخر كثيرًا عن الموعد")
            // The other side's words.
            let words = #"{"reason": "other", "note": "The gate was shut", "cancels": false}"#
            #expect(try await server.post("\(one.path)/reports", as: one.provider, words).status == 201)
            #expect(try await server.get("\(one.path)/reports", as: one.provider).items.count == 2)
            // A complaint of the other party is for admins.
            let own = try await server.get("\(one.path)/reports", as: one.customer).items
            #expect(own.count == 1 && own.first?["note"]?.text == "An hour already")
            let late = try await server.post("\(one.path)/reports", as: one.provider, body)
            #expect(late.status == 422)
            #expect(try await server.world.events(one.order).filter { $0 == "disputed" }.count == 1)
            #expect(try await server.world.pool.query(ListReports(order: one.order)).count == 2)
            try await server.world.expectConsistency()
        }
    }

    @Test("O3: a reported order is in the list of ended ones of both, and of none of the open ones")
    func listed() async throws {
        try await OrderServer.with { server in
            let one = try await enRoute(server)
            func sections(_ person: OrderServer.Person, _ role: String) async throws -> [Int] {
                var counts: [Int] = []
                for section in ["active", "inactive"] {
                    let path = "\(OrderServer.orders)?role=\(role)&section=\(section)"
                    counts.append(try await server.get(path, as: person).items.count)
                }
                return counts
            }
            #expect(try await sections(one.customer, "customer") == [1, 0])
            let body = #"{"reason": "provider-late", "note": "An hour already", "cancels": true}"#
            #expect(try await server.post("\(one.path)/reports", as: one.customer, body).status == 201)
            #expect(try await sections(one.customer, "customer") == [0, 1])
            #expect(try await sections(one.provider, "provider") == [0, 1])
            let stored = try await server.world.details(one.order).order
            try await server.world.decide(stored, .returnToCustomer)
            #expect(try await sections(one.customer, "customer") == [0, 1])
            let seen = try await server.get(one.path, as: one.customer)
            #expect(seen["review", "decision"]?.text == "returnToCustomer" && seen["review", "since"] == nil)
            #expect(seen["review", "text"]?.text == "An admin has decided: the price goes back.")
        }
    }

    @Test("O3: both see the outcome of a decision, and an answer to a complaint is seen by who made it")
    func outcome() async throws {
        try await OrderServer.with { server in
            let one = try await enRoute(server)
            let complaint = try await server.post(
                "\(one.path)/reports", as: one.provider, #"{"reason": "unsafe", "cancels": false}"#)
            let id = try #require(complaint["report"]?.text.flatMap(UUID.init(uuidString:)))
            for answer in ["We look after it.", "Another one"] {
                try await server.world.pool.execute(StoreAnswer(report: id, answer: answer, at: .thisMillisecond))
            }
            let listed = try await server.get("\(one.path)/reports", as: one.provider).items
            #expect(listed.map { $0["answer"]?.text } == ["We look after it."])
            #expect(try await server.get("\(one.path)/reports", as: one.customer).items.isEmpty)
            let body = #"{"reason": "not-done", "cancels": true}"#
            #expect(try await server.post("\(one.path)/reports", as: one.customer, body).status == 201)
            try await server.world.decide(
                try await server.world.details(one.order).order, .split, toCustomer: 5_000)
            for person in [one.customer, one.provider] {
                let order = try await server.get(one.path, as: person)
                #expect(order["state"]?.text == "completed" && order["reason"]?.text == "not-done")
                #expect(order["label"]?.text == "Cancelled" && order["review", "decision"]?.text == "split")
                #expect(order["ended", "by"]?.text == "admin" && order["ended", "paidTo"]?.text == "both")
                #expect(order["outcome", "decision"]?.text == "split")
                #expect(order["outcome", "toCustomer", "amount"]?.int == 5_000)
                #expect(order["outcome", "reason"]?.text == "Both were heard")
            }
        }
    }

    @Test("Q7: nobody but the order's own party does or sees any of it")
    func strangers() async throws {
        try await OrderServer.with { server in
            let one = try await enRoute(server, metres: 1_000)
            let others = [
                try await server.customer(), try await server.provider(),
                try await server.person(roles: ["admin"], in: "hajji"), try await server.person(roles: ["admin"]),
            ]
            let report = #"{"reason": "unsafe", "cancels": true}"#
            for path in ["cancellation", "reports"] {
                #expect(try await server.get("\(one.path)/\(path)", as: nil).status == 401)
                for person in others {
                    #expect(try await server.get("\(one.path)/\(path)", as: person).status == 404, "\(path)")
                }
            }
            let posts: [(String, String?)] = [("cancel", Self.accepting(999)), ("no-show", nil), ("reports", report)]
            for (path, body) in posts {
                #expect(try await server.post("\(one.path)/\(path)", as: nil, body).status == 401)
                #expect(try await server.post("\(one.path)/\(path)", as: one.customer, body, key: nil).status == 400)
                for person in others {
                    #expect(try await server.post("\(one.path)/\(path)", as: person, body).status == 404, "\(path)")
                }
            }
            #expect(try await server.get("\(one.path)/cancellation", as: one.provider).status == 403)
            #expect(try await server.post("\(one.path)/cancel", as: one.provider, Self.accepting(999)).status == 403)
            let wrong = try await server.post("\(one.path)/reports", as: one.customer, #"{"cancels": 5}"#)
            #expect(wrong.codes == ["/reason": "required", "/cancels": "not-true-or-false"])
            #expect(try await server.world.state(one.order) == .enRoute)
            #expect(try await server.world.pool.query(ListReports(order: one.order)).isEmpty)
        }
    }

    @Test("O2, O3: the words for every refusal are there in both languages")
    func words() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in DispatchService.catalogues { try catalogue.add(language, json: json) }
        let slugs =
            ["fine-not-accepted", "fine-grown"] + [
                OrderRefusal.tooEarly(until: Date()).problem.slug, ReportOrder.Refusal.tooMany.problem.slug,
            ]
        for slug in slugs {
            for part in ["title", "detail"] { #expect(catalogue.text("problem.\(slug).\(part)", in: .arabic) != nil) }
        }
        let refusals: [any ProblemConvertible] = [
            ReportOrder.Refusal.unknownReason, ReportOrder.Refusal.noteMissing,
            CancelOrder.OtherCurrency(currency: "SAR"),
        ]
        for field in refusals.flatMap({ $0.problem.fields.map { $0.code } }) + ["not-a-quote"] {
            #expect(catalogue.keys(.arabic).contains("field.\(field)"))
        }
    }
}

/// A provider who has waited for a day.
private struct ArriveEarlier: Statement {
    static let sql: SQL = "UPDATE orders SET arrived_at = arrived_at - interval '1 day' WHERE id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
