import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import ServiceKit
import Testing
import TestKit

@testable import SeraiDispatch

@Suite("O11, X4: what was sent, and what a parcel may cost", .timeLimit(.minutes(5)))
struct ParcelListTests {
    private static let estimate =
        "/dispatch/v1/markets/carrepsa/parcels/estimate?fromLatitude=57.7&fromLongitude=11.97"
        + "&toLatitude=57.71&toLongitude=11.97"

    private func delivered(
        _ server: OrderServer, _ owner: OrderServer.Person, _ carrier: OrderServer.Person, payment: Int = 5_000
    ) async throws -> UUID {
        let order = try await server.posted(owner, OrderServer.parcel(payment: payment))
        #expect(try await server.act("take", order, as: carrier).status == 200)
        #expect(try await server.act("start", order, as: owner).status == 200)
        #expect(try await server.act("complete", order, as: owner).status == 200)
        return order
    }

    @Test(
        "O11: delivered parcels are listed apart from cancelled ones, for owner and carrier, and counted for the owner")
    func sections() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let done = try await delivered(server, owner, carrier)
            let cancelled = try await server.posted(owner)
            #expect(try await server.act("cancel", cancelled, as: owner).status == 200)
            _ = try await server.posted(owner)
            func list(_ section: String, _ role: String = "customer") async throws -> [String] {
                let person = role == "customer" ? owner : carrier
                let answer = try await server.get("\(OrderServer.orders)?role=\(role)&section=\(section)", as: person)
                #expect(answer.status == 200, "\(answer.json)")
                return answer.items.compactMap { $0["order"]?.text }
            }
            #expect(try await list("delivered") == [done.text])
            #expect(try await list("cancelled") == [cancelled.text])
            #expect(try await list("inactive") == [cancelled.text, done.text])
            #expect(try await list("delivered", "provider") == [done.text])
            #expect(try await list("cancelled", "provider").isEmpty)
            #expect(try await server.get("\(OrderServer.orders)?section=lost", as: owner).status == 400)
            let sent = try await server.get("/dispatch/v1/markets/carrepsa/parcels/sent", as: owner)
            #expect(sent.items.count == 1 && sent.items.first?["parcels"]?.int == 1)
            #expect(sent.items.first?["paid"]?["amount"]?.int == 5_000)
            #expect(try await server.get("/dispatch/v1/markets/carrepsa/parcels/sent", as: carrier).status == 403)
            #expect(try await server.get("/dispatch/v1/markets/carrepsa/parcels/sent", as: nil).status == 401)
        }
    }

    @Test(
        "X4: with too few parcels the market's rates say what one may cost; with enough of several owners their quartiles"
    )
    func estimates() async throws {
        try await OrderServer.with { server in
            let carrier = try await server.carrier()
            let owners = [try await server.owner(), try await server.owner("Sven"), try await server.owner("Eva")]
            let few = try await server.get(Self.estimate + "&grams=900", as: owners[0])
            #expect(few.status == 200 && few["basis"]?.text == "rates" && few["parcels"]?.int == 0)
            // 20 kronor, 1.1 km at 4, 0.9 kg at 2.
            #expect(few["middle", "amount"]?.int == 2_600 && few["middle", "currency"]?.text == "SEK")
            for payment in [4_000, 4_000, 5_000, 6_000] {
                _ = try await delivered(server, owners[0], carrier, payment: payment)
            }
            _ = try await delivered(server, owners[1], carrier, payment: 7_000)
            // Five parcels of two owners tell too much of them.
            #expect(try await server.get(Self.estimate + "&grams=900", as: owners[2])["basis"]?.text == "rates")
            _ = try await delivered(server, owners[2], carrier, payment: 8_000)
            _ = try await delivered(server, owners[2], carrier, payment: 0)
            let similar = try await server.get(Self.estimate + "&grams=500&fragile=false", as: owners[0])
            #expect(similar["basis"]?.text == "similar" && similar["parcels"]?.int == 6)
            #expect(
                ["low", "middle", "high"].map { similar[$0, "amount"]?.int } == [4_000, 5_000, 7_000],
                "\(similar.json)")
            // For another weight, or a fragile parcel, only the way counts.
            for other in ["&grams=9000", "&grams=900&fragile=true"] {
                #expect(try await server.get(Self.estimate + other, as: owners[0])["basis"]?.text == "way")
            }
            let wrong = try await server.get("/dispatch/v1/markets/carrepsa/parcels/estimate?grams=0", as: owners[0])
            #expect(wrong.status == 400 && wrong.codes["/fromLatitude"] == "required")
            #expect(try await server.get(Self.estimate, as: owners[0]).codes["/grams"] == "required")
            #expect(try await server.get(Self.estimate + "&grams=900", as: carrier).status == 403)
        }
    }
}

@Suite("X9: one's own orders as a file", .timeLimit(.minutes(5)))
struct OrderFileTests {
    /// The cells of a line; the test's texts have no quotes and commas.
    private func lines(
        _ server: OrderServer, _ person: OrderServer.Person, _ query: String = "", language: String = "en"
    ) async throws -> [[String]] {
        let text = try await server.text("/dispatch/v1/orders.csv" + query, as: person, language: language)
        return text.split(separator: "\r\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test(
        "X9, P7: a customer and a provider have their own orders as CSV, in their language, by role, market, part and time"
    )
    func file() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let first = try await server.posted(owner)
            #expect(try await server.act("take", first, as: carrier).status == 200)
            let second = try await server.posted(owner)
            #expect(try await server.act("cancel", second, as: owner).status == 200)
            _ = try await server.posted(try await server.owner("Sven"))
            let mine = try await lines(server, owner)
            #expect(mine.map { $0[0] } == ["\u{FEFF}Order", first.text, second.text])
            #expect(Array(mine[1][1...3]) == ["Carrepsa", "Parcel", "Accepted"])
            #expect(Array(mine[1][7...10]) == ["Karin", "A lamp", "5000", "SEK"] && mine[1][14] == "Blue door")
            #expect(try await lines(server, owner, "?section=cancelled").dropFirst().map { $0[0] } == [second.text])
            #expect(try await lines(server, owner, "?section=active").dropFirst().map { $0[0] } == [first.text])
            #expect(try await lines(server, owner, "?market=assef").count == 1)
            #expect(try await lines(server, owner, "?to=2020-01-01T00:00:00Z").count == 1)
            #expect(try await lines(server, carrier).count == 1)
            #expect(Array(mine[1][11...12]) == ["Wallet", "Paid"])
            let arabic = try await lines(server, owner, language: "ar")
            #expect(Array(arabic[1][11...12]) == ["المحفظة", "مدفوع"], "\(arabic)")
            let work = try await lines(server, carrier, "?role=provider")
            #expect(work.dropFirst().map { $0[0] } == [first.text] && work[1][7] == "Olof")
            #expect(try await lines(server, owner, language: "ar")[0][0] == "\u{FEFF}الطلب")
            for wrong in ["?role=king", "?market=mars", "?from=yesterday", "?section=lost"] {
                #expect(try await server.get("/dispatch/v1/orders.csv" + wrong, as: owner).status == 400, "\(wrong)")
            }
            #expect(try await server.get("/dispatch/v1/orders.csv", as: nil).status == 401)
        }
    }
}

extension OrderServer {
    /// The body of an answer that is no JSON.
    func text(_ path: String, as person: Person, language: String = "en") async throws -> String {
        try await client.execute(
            uri: path, method: .get, headers: [.acceptLanguage: language, .authorization: "Bearer \(person.token)"]
        ) { response in
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "text/csv; charset=utf-8")
            return String(buffer: response.body)
        }
    }
}
