import Contracts
import Foundation
import Phones
import Postgres
import TestKit
import Testing

/// A dear kilometre, so that a short way is worth something.
@Suite(
    "How visits end before they are done", .platform(settings: [.finePerKilometre: "10000", .noShowWaitSeconds: "1"]),
    .timeLimit(.minutes(15)))
struct EndingFlowTests {
    private static let near = Coordinate(latitude: 24.7150, longitude: 46.6760)

    /// Drives to and fro until a way was counted. A place too far away to be believed is not; the next one is.
    private func drive(_ pair: Pair, _ order: UUID) async throws {
        var legs = 0
        try await eventually("a way was counted", poll: .milliseconds(700)) {
            legs += 1
            try await pair.provider.phone.post(position: legs % 12 < 6 ? Pair.clinic : Self.near)
            return try await !pair.customer.phone.cancellation(of: order).isFree
        }
    }

    private func inbox(_ phone: Phone, tells subject: String) async throws {
        try await eventually("the inbox tells: \(subject)") {
            try await phone.inbox().contains { $0.subject == subject }
        }
    }

    @Test("O2: cancelled on the way for what was shown: both see it, the price goes back, the provider is free")
    func fined() async throws {
        let pair = try await Pair.meet()
        try await pair.fill(50_000)
        let order = try await pair.enRoute(by: "wallet")
        try await drive(pair, order)
        let shown = try await pair.customer.phone.cancellation(of: order)
        #expect(shown.fine.amount > 0 && shown.fine.amount <= Pair.total && shown.fine.currency == "SAR")
        try await refuses(409) { try await pair.customer.phone.act("cancel", on: order) }
        try await refuses(403) { try await pair.provider.phone.act("cancel", on: order) }
        let key = UUID().uuidString.lowercased()
        let cancelled = try await pair.customer.phone.cancel(order, for: shown, key: key)
        #expect(cancelled.state == .cancelled && cancelled.snapshot.fine == shown.fine)
        #expect(try await pair.customer.phone.cancel(order, for: shown, key: key).version == cancelled.version)
        try await pair.both(order, .cancelled)
        for (role, phone, _) in pair.phones {
            #expect(try await phone.order(order).snapshot.fine == shown.fine, "\(role)")
        }
        try await inbox(pair.provider.phone, tells: "Omar has cancelled on the way")
        try await eventually("the price is back") {
            let wallet = try await pair.customer.phone.wallets().first { $0.currency == "SAR" }
            let payment = try await pair.customer.phone.payment(of: order)
            return wallet?.held == 0 && payment.state == "released"
        }
        try await eventually("the admin sees what it cost") {
            try await pair.desk.phone.adminOrder(order).state == .cancelled
        }
        _ = try await pair.accepted()
    }

    @Test("O2: who has not paid a fine in a month orders nothing, until a top-up has paid it")
    func blocked() async throws {
        let pair = try await Pair.meet()
        let (customer, nurse) = (pair.customer, pair.provider.account)
        let order = try await pair.enRoute(by: "cash")
        try await drive(pair, order)
        try await customer.phone.cancel(order, for: try await customer.phone.cancellation(of: order))
        try await pair.both(order, .cancelled)
        try await pair.platform.database.withPool { pool in
            try await eventually("dispatch has heard of the block", poll: .milliseconds(200)) {
                // A look that is under way may not have seen it, so the next one is due, too.
                try await pool.execute(EndMonthOfFine(account: customer.account))
                try await pool.execute(WakeFines(account: customer.account))
                return try await pool.first(ReadBlock(account: customer.account)) == true
            }
            let refusal = await #expect(throws: Refusal.self) {
                try await customer.request(nurse, services: Pair.services, at: Pair.home)
            }
            #expect(refusal?.status == 403 && refusal?.slug == "account-blocked")
            try await pair.fill(50_000)
            try await eventually("dispatch has heard of its end") {
                try await pool.first(ReadBlock(account: customer.account)) == false
            }
        }
        _ = try await pair.accepted()
    }

    @Test("P3a: a customer who is not there: the order ends, and both are told what it costs")
    func missed() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.enRoute()
        try await drive(pair, order)
        for word in ["arrive", "no-show"] {
            try await eventually("the provider is there, and has waited long enough", poll: .milliseconds(700)) {
                try await pair.provider.phone.post(position: Pair.home)
                do {
                    try await pair.provider.phone.act(word, on: order)
                    return true
                } catch let refusal as Refusal where ["too-early", "not-at-place"].contains(refusal.slug) {
                    return false
                }
            }
        }
        try await pair.both(order, .cancelled)
        let seen = try await pair.customer.phone.order(order).snapshot
        #expect(seen.reason == "customer-no-show" && (seen.fine?.amount ?? 0) > 0)
        try await inbox(pair.customer.phone, tells: "The order was cancelled: you were not there")
        try await inbox(pair.provider.phone, tells: "The order was cancelled: nobody was there")
        try await eventually("the payment is released") {
            try await pair.customer.phone.payment(of: order).state == "released"
        }
    }

    /// A visit on the way that its customer has reported, as the admins see it.
    private func reported(_ pair: Pair) async throws -> (order: UUID, report: UUID) {
        let order = try await pair.enRoute()
        let report = try await pair.customer.phone.report(order, "provider-late", note: "An hour", cancels: true)
        #expect(report.awaitsDecision)
        try await pair.both(order, .disputed)
        try await pair.provider.phone.report(order, "other", note: "The road was closed", cancels: false)
        try await inbox(pair.provider.phone, tells: "Omar has reported the order")
        try await inbox(pair.customer.phone, tells: "We have received your report")
        try await eventually("the admins have it") {
            try await pair.desk.phone.openReports(in: Pair.market.id).items.contains { $0.report == report.report }
        }
        try await refuses(409, state: "disputed") { try await pair.provider.phone.act("arrive", on: order) }
        return (order, report.report)
    }

    @Test("O3: reported, and given back to the customer: both see the outcome, and the money is back")
    func givenBack() async throws {
        let pair = try await Pair.meet()
        let (order, report) = try await reported(pair)
        try await pair.desk.phone.decide(report, .returnToCustomer, reason: "It was too late")
        try await pair.both(order, .cancelled)
        for (role, phone, _) in pair.phones {
            let seen = try await phone.order(order).snapshot
            #expect(seen.outcome?.decision == .returnToCustomer && seen.outcome?.reason == "It was too late", "\(role)")
            try await inbox(phone, tells: "It was decided about the reported order")
        }
        try await eventually("the payment is released") {
            try await pair.customer.phone.payment(of: order).state == "released"
        }
        #expect(try await pair.balances() == [0, 0])
        try await refuses(409) { try await pair.desk.phone.decide(report, .payProvider, reason: "No") }
        _ = try await pair.accepted()
    }

    @Test("O3: reported, and decided for the provider: the order is completed and paid out")
    func paid() async throws {
        let pair = try await Pair.meet()
        let (order, report) = try await reported(pair)
        try await pair.desk.phone.decide(report, .payProvider, reason: "She was on time")
        try await pair.both(order, .completed)
        try await pair.paidOut(order)
        #expect(try await pair.balances() == [0, Pair.total - Pair.commission])
    }

    @Test("O3: a complaint lets the visit go on, and its answer reaches who made it")
    func complaint() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.enRoute()
        let complaint = try await pair.customer.phone.report(order, "provider-late", cancels: false)
        try await eventually("the admins have it") {
            do {
                try await pair.desk.phone.answer(complaint.report, "She is there in a minute.")
                return true
            } catch let refusal as Refusal where refusal.status == 404 {
                return false
            }
        }
        try await inbox(pair.customer.phone, tells: "An answer to your report")
        try await eventually("the answer is with the report") {
            try await pair.customer.phone.reports(of: order).first?.answer == "She is there in a minute."
        }
        try await pair.customer.phone.act("met", on: order)
        try await pair.provider.phone.act("arrive", on: order)
        try await pair.both(order, .arrived)
    }
}

/// The time in which it could be paid is over.
private struct EndMonthOfFine: Statement {
    static let sql: SQL = """
        UPDATE wallet.fines SET due_at = now() - interval '1 day' WHERE account = $1 AND paid_at IS NULL
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// The next look at an account's fines is due now.
private struct WakeFines: Statement {
    static let sql: SQL = """
        UPDATE wallet.deadlines SET due_at = now()
        WHERE kind = 'wallet.fine' AND subject LIKE $1::uuid::text || ' %' AND due_at > now()
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Whether dispatch knows the account as blocked; no row when it has heard nothing.
private struct ReadBlock: Statement {
    static let sql: SQL = "SELECT is_blocked FROM dispatch.blocks WHERE account = $1 AND market = 'assef'"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
