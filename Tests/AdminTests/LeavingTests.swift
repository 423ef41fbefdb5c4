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

@Suite("People who leave", .timeLimit(.minutes(15)))
struct LeavingTests {
    private func log(_ fixture: AdminFixture) async throws -> [String] {
        try await fixture.acts().compactMap { $0["action"]?.string }
    }

    @Test("I12: of somebody who is gone no name is left in people and orders, and what comes late brings none back")
    func forgotten() async throws {
        try await AdminFixture.running { fixture async throws in
            let story = Story()
            let customer = account(story.customer.account, version: 3, name: story.customer.name)
            try await fixture.tell(AccountRegistered(account: customer, at: story.requestedAt))
            for event in story.events { try await fixture.tell(event) }
            let path = "/admin/v1/orders/\(story.order.text)"
            try await eventually("the order is there") {
                try await fixture.send(.GET, path, as: fixture.admin).text.contains("=SUM(1)")
            }
            for gone in [story.customer.account, story.provider.account] {
                try await fixture.tell(AccountDeleted(account: gone, version: 9, at: Date()))
            }
            try await eventually("the names are gone") {
                let text = try await fixture.send(.GET, path, as: fixture.admin).text
                return !text.contains(story.customer.name) && !text.contains(story.provider.name)
                    && !text.contains("=SUM(1)") && text.contains(AccountSnapshot.goneName)
            }
            // Of the order, too: it goes on, an event was held up, and somebody's words come late.
            var late = story.snapshot(8, .completed, minutes: 70)
            late.reason = "payment-lost"
            try await fixture.tell(OrderPaymentChanged(order: late))
            try await fixture.tell(
                OrderAccepted(order: story.snapshot(2, .accepted, minutes: 1, by: .provider), companion: "Huda Salem"))
            var other = story
            other.order = .timeOrdered()
            try await fixture.tell(OrderRequested(order: other.snapshot(1, .requested, minutes: 90)))
            try await fixture.tell(other.rating(.customer, stars: 5, comment: "=SUM(2)"))
            for order in [story.order, other.order] {
                let text = try await eventually("what is late is heard") {
                    try await fixture.send(.GET, "/admin/v1/orders/\(order.text)", as: fixture.admin).text
                } satisfies: {
                    $0.contains(order == story.order ? "payment-lost" : "stars")
                }
                for word in [story.customer.name, story.provider.name, "Huda", "=SUM"] {
                    #expect(!text.contains(word), "\(word)")
                }
            }
            try await fixture.tell(AccountChanged(account: customer, at: story.requestedAt))
            try await fixture.tell(AccountChanged(account: account(name: "Last"), at: story.requestedAt))
            try await eventually("the last is heard") {
                try await fixture.read("/admin/v1/markets/assef/people?name=Last").items.count == 1
            }
            #expect(try await fixture.read("/admin/v1/markets/assef/people?name=Salem").items.isEmpty)
            // The reads above are there, by the order's id.
            #expect(try await log(fixture).allSatisfy { $0 == "order.viewed" })
        }
    }

    @Test(
        "I12: what somebody who left gave as a reason is nowhere, however late it is told; the platform's reasons stay")
    func reasons() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool { pool async throws in
                let (words, story, second) = ("Omar is in hospital", Story(), Story())
                let (third, fourth) = (Story(), Story())
                func cancelled(_ story: Story, _ by: OrderSnapshot.Actor, _ reason: String) -> [any OrderEvent] {
                    var order = story.snapshot(3, .cancelled, minutes: 5, by: by, reason: reason)
                    order.customer = OrderSnapshot.Party(account: story.customer.account, name: "Salem")
                    order.shares = [.init(party: .provider, account: story.provider.account, name: "Noura", amount: 1)]
                    var paid = order
                    (paid.version, paid.by) = (4, .system)
                    return [OrderCancelled(order: order), OrderPaymentChanged(order: paid)]
                }
                func tell(_ events: [any OrderEvent]) async throws {
                    try await pool.withTransaction { transaction in
                        for event in events { try record(event, .timeOrdered(), transaction) }
                    }
                }
                func leave(_ account: UUID) async throws {
                    try await pool.withTransaction { transaction in
                        let gone = AccountDeleted(account: account, version: 9, at: Date())
                        try await ForgetAccount.deleted(gone, in: transaction)
                    }
                }
                func reasons(_ story: Story) async throws -> [String?] {
                    let order = try #require(try await pool.first(ShowOrder(order: story.order))?.order())
                    let told = try await pool.query(ListOrderEvents(order: story.order)).map(\.reason)
                    return [order.reason] + told
                }
                try await tell(cancelled(story, .customer, words))
                try await tell(cancelled(second, .provider, "customer-no-show"))
                try await leave(.timeOrdered())
                #expect(try await reasons(story) == [words, words, words])
                try await leave(story.customer.account)
                #expect(try await reasons(story) == [nil, nil, nil])
                try await leave(story.provider.account)
                let order = try await pool.first(ShowOrder(order: story.order))?.order()
                #expect(order?.shares?.map(\.name) == [AccountSnapshot.goneName])
                for account in [second.customer.account, second.provider.account] { try await leave(account) }
                #expect(try await reasons(second) == ["customer-no-show", "customer-no-show", "customer-no-show"])
                // The end first, and one by one.
                try await leave(third.provider.account)
                for event in cancelled(third, .provider, words) { try await tell([event]) }
                #expect(try await reasons(third) == [nil, nil, nil])
                // Of who gave it up, when it is another's.
                var reopened = fourth.snapshot(3, .requested, minutes: 3, by: .provider, reason: words)
                reopened.provider = nil
                try await tell([OrderReopened(order: reopened, former: fourth.provider)])
                #expect(try await reasons(fourth) == [words, words])
                try await leave(fourth.provider.account)
                #expect(try await reasons(fourth) == [nil, nil])
            }
        }
    }

    @Test("I12: of a merchant who is gone no column has a word: no comment, no reason, no name, however late it comes")
    func merchant() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool { pool async throws in
                let (word, owner, story) = ("Zaffrani", UUID.timeOrdered(), Story())
                func refused(_ version: Int) -> OrderRefused {
                    var order = story.snapshot(
                        version, .refused, minutes: 5, by: .merchant, reason: "\(word) is out of flour")
                    order.shares = [
                        .init(party: .merchant, account: owner, name: "House of \(word)", amount: 900),
                        .init(party: .provider, account: story.provider.account, name: "Noura", amount: 300),
                    ]
                    return OrderRefused(order: order)
                }
                let rating = RatingGiven(
                    order: story.order, market: "assef", from: owner, to: story.provider.account, by: .merchant,
                    stars: 1, serviceStars: nil, comment: "\(word) waited for long", at: Date())
                func tell(_ version: Int) async throws {
                    try await pool.withTransaction { try record(refused(version), .timeOrdered(), $0) }
                    try await pool.withTransaction { OrderWriter.of($0).add(rating) }
                }
                func leave(_ account: UUID) async throws {
                    try await pool.withTransaction { transaction in
                        let gone = AccountDeleted(account: account, version: 9, at: Date())
                        try await ForgetAccount.deleted(gone, in: transaction)
                    }
                }
                func columns() async throws -> [String] { try await StoredWords.columns(with: word, in: pool) }
                try await tell(3)
                let before = try await columns()
                #expect(before == ["order_events.reason", "orders.snapshot", "ratings.comment"])
                // Somebody else's end changes nothing of it.
                try await leave(.timeOrdered())
                #expect(try await columns() == before)
                try await leave(owner)
                #expect(try await columns() == [])
                let order = try await pool.first(ShowOrder(order: story.order))?.order()
                #expect(order?.shares?.map(\.name) == [AccountSnapshot.goneName, "Noura"])
                #expect(order?.shares?.map(\.amount) == [900, 300])
                try await tell(4)
                #expect(try await columns() == [])
            }
        }
    }

    @Test("I12: what a customer who is gone has called a parcel is in no column")
    func parcel() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool { pool async throws in
                let (word, story) = ("Zaffrani", Story())
                var order = story.snapshot(1, .pending, minutes: 5)
                order.kind = "parcel"
                order.services = [.init(service: "parcel", name: ["en": "Ring of \(word)"], price: 500)]
                let told = order
                try await pool.withTransaction { try record(OrderPending(order: told), .timeOrdered(), $0) }
                #expect(try await StoredWords.columns(with: word, in: pool) == ["orders.snapshot"])
                try await pool.withTransaction { transaction in
                    let gone = AccountDeleted(account: story.customer.account, version: 9, at: Date())
                    try await ForgetAccount.deleted(gone, in: transaction)
                }
                #expect(try await StoredWords.columns(with: word, in: pool) == [])
                #expect(try await pool.first(ShowOrder(order: story.order))?.order().services.first?.price == 500)
            }
        }
    }

    @Test("P9, I13: what admins do about people and families is recorded; what people do themselves is not")
    func audited() async throws {
        try await AdminFixture.running { fixture async throws in
            let (one, other, link) = (UUID.timeOrdered(), UUID.timeOrdered(), UUID.timeOrdered())
            let admin = fixture.admin.account
            let start = Date(timeIntervalSince1970: 1_772_360_000)
            for by in [nil, admin] {
                try await fixture.tell(
                    LinkConfirmed(
                        link: link, kind: .family, market: "assef", from: one, to: other, scopes: ["see"], by: by,
                        at: start))
                try await fixture.tell(
                    LinkRemoved(link: link, market: "assef", from: one, to: other, by: by, at: start + 1))
                try await fixture.tell(
                    AccountDeleted(
                        account: by == nil ? other : one, version: 9, by: by, market: by == nil ? nil : "assef",
                        at: start + 5))
            }
            let acts: [AccountManaged.Act] = [
                .created, .changed, .removed, .roleGiven, .invited, .kept, .removalRefused,
            ]
            for (index, act) in acts.enumerated() {
                try await fixture.tell(
                    AccountManaged(
                        account: one, market: "assef", act: act, by: admin, at: start + 2 + Double(index) / 4))
            }
            try await eventually("all are recorded", value: { try await log(fixture) }) {
                $0 == [
                    "account.deleted", "account.removal-refused", "account.kept", "account.invited",
                    "account.role-given", "account.removed", "account.changed", "account.created",
                    "link.removed", "link.confirmed",
                ]
            }
        }
    }
}
