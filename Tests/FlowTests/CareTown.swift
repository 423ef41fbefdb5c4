import Contracts
import Foundation
import Phones
import SeraiJSON
import TestKit
import Testing

/// Who cares and who is cared for in Regina, and the desk between them.
struct CareTown {
    static let market = "edencare"
    static let home = Coordinate(latitude: 50.45, longitude: -104.6)
    /// Of an hour's company; all of it is the platform's, and the partner has wages.
    static let price = 3_000
    private static let path = "/dispatch/v1/markets/\(market)"
    private static let limit = Duration.seconds(150)

    /// A visit as it is asked for.
    struct Wish: Encodable {
        var services = ["companionship"]
        var place = CareTown.home
        /// Nil is at once.
        var time: String?
        var preferred: UUID?
        var relative: UUID?
        /// For whom an admin orders.
        var customer: UUID?
        /// More than a visit costs, whatever a test makes of the price.
        var total = Money(amount: 1_000_000, currency: "CAD")
    }

    /// Whom the desk can send.
    struct Partner: Decodable, Sendable {
        let account: UUID
        let isFree: Bool
        let isPreferred: Bool
    }

    struct Client: Decodable, Sendable {
        let customer: OrderSnapshot.Party
        let visits: Int
        let lastVisitAt: Date
    }

    let platform: Platform
    let desk: AdminDesk

    static func ofSuite() async throws -> CareTown {
        let platform = try Platform.ofSuite()
        return CareTown(platform: platform, desk: try await AdminDesk.signIn(platform))
    }

    /// Noon there, some days from now: the same day in Greenwich.
    static func noon(in days: Int = 3) throws -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/Regina"))
        let day = try #require(calendar.date(byAdding: .day, value: days, to: Date()))
        let noon = try #require(calendar.date(bySettingHour: 12, minute: 0, second: 0, of: day))
        return Date(timeIntervalSince1970: noon.timeIntervalSince1970.rounded(.down))
    }

    // MARK: People

    func customer(_ name: String, with amount: Int = 10_000) async throws -> Newcomer {
        let customer = try await Newcomer.byLink(name, in: Self.market, living: Self.home, of: platform.town)
        if amount > 0 { try await customer.fill(amount, in: Self.market) }
        return customer
    }

    func partner(_ name: String) async throws -> Newcomer {
        try await Newcomer.invited(name, title: "care-partner", in: Self.market, by: desk, of: platform.town)
    }

    // MARK: Ordering

    func ask(_ wish: Wish, by phone: Phone) async throws -> OrderView {
        try await phone.send(try .post("\(Self.path)/visits", wish)).decode()
    }

    /// As soon as dispatch has heard of all whom it names.
    func order(_ wish: Wish, by phone: Phone) async throws -> OrderView {
        var order: OrderView?
        try await phone.until("dispatch knows all whom the visit names", within: Self.limit) {
            do {
                order = try await ask(wish, by: phone)
                return true
            } catch let refusal as Refusal where Self.isUnheard(refusal) {
                return false
            }
        }
        return try #require(order)
    }

    private static func isUnheard(_ refusal: Refusal) -> Bool {
        refusal.slug == "account-not-ready"
            || refusal.fields.contains { ["unknown-provider", "not-linked", "not-a-customer"].contains($0.code) }
    }

    /// Ordered and paid from the wallet: it is at the desk.
    func ordered(
        _ customer: Newcomer, at time: Date? = nil, preferring partner: Newcomer? = nil, for relative: Newcomer? = nil
    ) async throws -> UUID {
        let wish = Wish(
            time: time?.formatted(.iso8601), preferred: partner?.account, relative: relative?.account)
        let order = try await order(wish, by: customer.phone)
        try await pay(order.id, customer)
        return order.id
    }

    func pay(_ order: UUID, _ customer: Newcomer) async throws {
        try await customer.pay(order)
        try await customer.stream.order(order, is: .requested, within: Self.limit)
    }

    // MARK: The desk

    /// The visits that are there, by their time.
    func waiting(in state: String) async throws -> [OrderView] {
        let query: [(String, String?)] = [("state", state), ("limit", "500")]
        return try await desk.phone.send(.get("\(Self.path)/desk", query: query)).decode(Items<OrderView>.self).items
    }

    func partners(for order: UUID) async throws -> [Partner] {
        try await desk.phone.send(.get("/dispatch/v1/orders/\(order.path)/partners"))
            .decode(Items<Partner>.self).items
    }

    /// Sends a partner, as soon as dispatch has heard of him or her.
    func send(_ partner: Newcomer, to order: UUID) async throws {
        try await desk.phone.until("dispatch knows the partner", within: Self.limit) {
            do {
                try await desk.phone.act("assignment", on: order, ["provider": partner.account.path])
                return true
            } catch let refusal as Refusal where refusal.status == 422 {
                return false
            }
        }
        try await partner.stream.order(order, is: .offered, within: Self.limit)
    }

    func takeBack(_ order: UUID) async throws {
        var call = Call.delete("/dispatch/v1/orders/\(order.path)/assignment")
        call.idempotencyKey = UUID().uuidString.lowercased()
        try await desk.phone.send(call)
    }

    @discardableResult
    func move(_ order: UUID, to time: Date) async throws -> OrderView {
        var call = try Call.put("/dispatch/v1/orders/\(order.path)/schedule", ["time": time.formatted(.iso8601)])
        call.idempotencyKey = UUID().uuidString.lowercased()
        return try await desk.phone.send(call).decode()
    }

    // MARK: Visits

    /// What a partner has to do.
    func calendar(of partner: Newcomer, from start: Date? = nil, to end: Date? = nil) async throws -> [OrderView] {
        let query = [("from", start?.formatted(.iso8601)), ("to", end?.formatted(.iso8601))]
        return try await partner.phone.send(.get("\(Self.path)/calendar", query: query))
            .decode(Items<OrderView>.self).items
    }

    func clients(of phone: Phone) async throws -> [Client] {
        try await phone.send(.get("\(Self.path)/clients")).decode(Items<Client>.self).items
    }

    /// Sent and confirmed.
    func confirm(_ order: UUID, _ partner: Newcomer) async throws {
        try await send(partner, to: order)
        try await partner.phone.act("accept", on: order)
    }

    /// Begun, finished and paid out.
    func finish(_ order: UUID, _ customer: Newcomer, _ partner: Newcomer) async throws {
        try await customer.phone.act("met", on: order)
        try await partner.phone.act("start", on: order)
        try await customer.stream.order(order, is: .inProgress, within: Self.limit)
        try await partner.phone.act("complete", on: order)
        for person in [customer, partner] {
            try await person.stream.order(order, "paid out", within: Self.limit) {
                $0.snapshot.payment.state == .captured
            }
        }
    }

    // MARK: What is left

    func tells(_ person: Newcomer, _ subject: String) async throws {
        try await eventually("the inbox of \(person.person.name) tells: \(subject)") {
            try await person.phone.inbox().contains { $0.subject == subject }
        }
    }

    /// Waits until somebody has this in the wallet, and nothing of it is held.
    func settled(_ person: Newcomer, has amount: Int) async throws {
        try await eventually("\(person.person.name) has \(amount)", poll: .milliseconds(50)) {
            let wallet = try await person.phone.wallets().first { $0.currency == "CAD" }
            return (wallet?.balance ?? 0) == amount && (wallet?.held ?? 0) == 0
        }
    }

    /// What the platform has.
    func earned() async throws -> Int { try await desk.ledger(of: "CAD")?.balance(of: "platform") ?? 0 }

    /// Every order has ended: nothing is held for any, and nothing was made or lost.
    ///
    /// - Parameter earned: what the platform has; nil when other tests of the suite earn, too.
    func booksAreEven(earned: Int? = nil) async throws {
        try await eventually("the ledger holds nothing", poll: .milliseconds(50)) {
            guard let ledger = try await desk.ledger(of: "CAD") else { return false }
            return ledger.sum == 0 && ledger.heldInEscrow == 0 && ledger.openHolds == 0
                && (earned == nil || ledger.balance(of: "platform") == earned)
        }
    }
}

extension CareTown {
    private struct Entry: Decodable, Sendable {
        let action, subject: String
    }

    /// Waits until the audit log has what an admin did to an order.
    func isLogged(_ act: String, _ order: UUID) async throws {
        try await eventually("the audit log has that it was \(act)", poll: .milliseconds(50)) {
            let query: [(String, String?)] = [("market", Self.market), ("limit", "100")]
            return try await desk.phone.send(.get("/admin/v1/audit", query: query)).decode(Items<Entry>.self).items
                .contains { $0.action == "order.\(act)" && $0.subject == order.path }
        }
    }
}
