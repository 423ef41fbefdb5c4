import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("How admins find orders", .timeLimit(.minutes(15)))
struct OrderSearchTests {
    private static let path = "/admin/v1/markets/assef/orders"

    /// A person of the market.
    private static func person(_ name: String, in fixture: AdminFixture) async throws -> OrderSnapshot.Party {
        let snapshot = account(name: name)
        try await fixture.pool.withTransaction { try await RecordPerson.snapshot(snapshot, in: $0) }
        return OrderSnapshot.Party(account: snapshot.account, name: name)
    }

    @discardableResult
    private static func order(
        _ fixture: AdminFixture, _ customer: OrderSnapshot.Party, _ provider: OrderSnapshot.Party,
        kind: String = "visit", state: OrderSnapshot.State = .accepted, number: UUID = .timeOrdered()
    ) async throws -> String {
        var story = Story()
        (story.customer, story.provider, story.order) = (customer, provider, number)
        var snapshot = story.snapshot(1, state, minutes: 1)
        snapshot.kind = kind
        let told = OrderAccepted(order: snapshot, companion: nil)
        try await fixture.pool.withTransaction { try record(told, .timeOrdered(), $0) }
        return number.text
    }

    /// The orders that a filter finds, page by page.
    private static func found(_ query: String, in fixture: AdminFixture) async throws -> Set<String> {
        var found: [String] = []
        var cursor: String?
        repeat {
            let page = try await fixture.read("\(path)?limit=2&\(query)" + (cursor.map { "&cursor=\($0)" } ?? ""))
            found += page.items.compactMap { $0["order"]?.string }
            cursor = page["next"]?.string
        } while cursor != nil
        #expect(Set(found).count == found.count, "\(query)")
        return Set(found)
    }

    private static func escaped(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    @Test("A1: orders are found by the account of either side and by a part of either's name, however it is typed")
    func people() async throws {
        try await AdminFixture.running { fixture async throws in
            let salem = try await Self.person("Sálem Ali", in: fixture)
            let huda = try await Self.person("هُدى", in: fixture)
            let omar = try await Self.person("Omar", in: fixture)
            var orders: [String] = []
            for (customer, provider) in [(salem, huda), (huda, salem), (omar, huda), (salem, omar), (salem, huda)] {
                orders.append(try await Self.order(fixture, customer, provider))
            }
            func find(_ query: String) async throws -> Set<Int> {
                Set(try await Self.found(query, in: fixture).compactMap { orders.firstIndex(of: $0) })
            }
            #expect(try await find("account=\(salem.account.text)") == [0, 1, 3, 4])
            #expect(try await find("account=\(omar.account.text)") == [2, 3])
            #expect(try await find("account=\(UUID().uuidString)") == [])
            #expect(try await find("account=\(salem.account.text)&customer=\(huda.account.text)") == [1])
            #expect(try await find("text=SALEM") == [0, 1, 3, 4])
            #expect(try await find("text=\(try Self.escaped("هدي"))") == [0, 1, 2, 4])
            #expect(try await find("text=oma&state=accepted") == [2, 3])
            #expect(try await find("text=oma&state=cancelled") == [])
            #expect(try await find("text=nobody") == [])
            #expect(try await find("text=") == [0, 1, 2, 3, 4])
        }
    }

    @Test("A1: of a name that more people have than are looked at one by one the same orders are found")
    func manyPeople() async throws {
        try await AdminFixture.running { fixture async throws in
            let noura = try await Self.person("Noura", in: fixture)
            var orders: Set<String> = []
            for number in 0..<ListMatchingOrders.fewPeople {
                let person = try await Self.person("Amal \(number)", in: fixture)
                if number % 25 == 0 { orders.insert(try await Self.order(fixture, person, noura)) }
            }
            #expect(try await Self.found("text=amal", in: fixture) == orders)
            // One more, and the market's orders are gone through.
            let last = try await Self.person("Amal the last", in: fixture)
            orders.insert(try await Self.order(fixture, noura, last))
            try await Self.order(fixture, noura, noura)
            #expect(try await Self.found("text=amal", in: fixture) == orders)
        }
    }

    @Test("A1: an order is found by the beginning of its number, by the digits that are shown of it, and by all of it")
    func numbers() async throws {
        try await AdminFixture.running { fixture async throws in
            let salem = try await Self.person("Salem", in: fixture)
            let first = try #require(UUID(uuidString: "0195d3a0-1111-7000-8000-0000ab12cd34"))
            let second = try #require(UUID(uuidString: "0195d3a1-1111-7000-8000-0000ab12cd35"))
            for number in [first, second] { try await Self.order(fixture, salem, salem, number: number) }
            func find(_ text: String) async throws -> Set<String> {
                try await Self.found("text=\(try Self.escaped(text))", in: fixture)
            }
            #expect(try await find("AB12CD34") == [first.text])
            #expect(try await find("ab12cd35") == [second.text])
            #expect(try await find("0195d3a0") == [first.text])
            #expect(try await find("0195d3") == [first.text, second.text])
            #expect(try await find("٠١٩٥d3a1") == [second.text])
            #expect(try await find(first.text) == [first.text])
            #expect(try await find("ab12cd36") == [])
            // Five digits are too few for a number, and no name has them.
            #expect(try await find("0195d") == [])
            #expect(try await Self.found("text=0195d3&kind=visit&state=completed", in: fixture) == [])
        }
    }

    @Test("A1: orders are found by their kind, with a state and days; a kind that the market lacks is a fault")
    func kinds() async throws {
        try await AdminFixture.running { fixture async throws in
            let salem = try await Self.person("Salem", in: fixture)
            let visit = try await Self.order(fixture, salem, salem)
            let cancelled = try await Self.order(fixture, salem, salem, state: .cancelled)
            try await Self.order(fixture, salem, salem, kind: "other")
            #expect(try await Self.found("kind=visit", in: fixture) == [visit, cancelled])
            #expect(try await Self.found("kind=visit&state=cancelled", in: fixture) == [cancelled])
            #expect(try await Self.found("kind=visit&from=2026-03-05&to=2026-03-06", in: fixture) == [])
            let wrong = try await fixture.send(.GET, "\(Self.path)?kind=ride", as: fixture.admin)
            #expect(wrong.status == 400, "\(wrong.text)")
            #expect(try await fixture.send(.GET, "\(Self.path)?account=me", as: fixture.admin).status == 400)
        }
    }

    @Test("A1, P9: the file has what the list has, and the audit log says that words were looked for, not which")
    func file() async throws {
        try await AdminFixture.running { fixture async throws in
            let salem = try await Self.person("Salem", in: fixture)
            let huda = try await Self.person("Huda", in: fixture)
            let first = try await Self.order(fixture, salem, salem)
            let second = try await Self.order(fixture, huda, salem)
            func lines(_ query: String) async throws -> [String] {
                let answer = try await fixture.send(
                    .GET, "\(Self.path).csv?from=2026-03-01&to=2026-03-01&\(query)", as: fixture.admin)
                #expect(answer.status == 200, "\(answer.text)")
                return [first, second].filter { answer.text.contains($0) }
            }
            #expect(try await lines("text=huda") == [second])
            #expect(try await lines("text=\(first.suffix(8))") == [first])
            #expect(try await lines("account=\(salem.account.text)") == [first, second])
            #expect(try await lines("account=\(huda.account.text)&kind=visit") == [second])
            try await eventually("the look is in the log") {
                try await fixture.read("/admin/v1/audit?viewed=true").items.contains {
                    $0["action"]?.string == "list.exported" && $0["after"]?["text"]?.string == "given"
                }
            }
            let log = try await fixture.send(.GET, "/admin/v1/audit?viewed=true", as: fixture.admin)
            #expect(!log.text.contains("huda"))
        }
    }

    @Test("A1: what is typed is a number where it can be no name")
    func rule() throws {
        for text in ["abed", "Fadee", "12345", "0195d3g0", "salem 12", "", "----------", "ab12cd3é", "fadeeab"] {
            #expect(OrderNumber(text) == nil, "\(text)")
        }
        #expect(OrderNumber(String(repeating: "1", count: 33)) == nil)
        let part = try #require(OrderNumber("0195D3A0-11"))
        #expect(part.first.text == "0195d3a0-1100-0000-0000-000000000000")
        #expect(part.last.text == "0195d3a0-11ff-ffff-ffff-ffffffffffff" && part.ending.isEmpty)
        #expect(OrderNumber("AB12CD34")?.ending == "ab12cd34")
    }
}
