import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import Testing

@testable import SeraiWallet
@testable import ServiceKit

extension WalletFixture {
    /// Runs the deadlines while `body` does.
    func withDeadlines(_ body: () async throws -> Void) async throws {
        let running = [
            parts.fineRunner, parts.debtRunner, parts.subscriptionRunner, parts.unattendedRunner,
        ].map { runner in
            Task { try await runner.run() }
        }
        defer { for task in running { task.cancel() } }
        try await body()
        for task in running {
            task.cancel()
            try await task.value
        }
    }

    /// Lets the service hear an admin's decision, as its message handler does.
    func decide(
        _ order: OrderSnapshot, _ decision: ReportDecided.Decision, toCustomer: Int? = nil,
        deposit: ReportDecided.DepositDecision? = nil, market: String = "assef"
    ) async throws {
        let decided = ReportDecided(
            report: order.report ?? .timeOrdered(), order: order.order, market: market, decision: decision,
            toCustomer: toCustomer.map { Money(amount: $0, currency: "SAR") }, deposit: deposit, reason: "seen",
            by: .timeOrdered(), at: Date())
        try await pool.withTransaction { try await DecideReport.decide(decided, at: Date(), in: $0) }
    }

    /// An order that is accepted and paid.
    func held(
        _ customer: Person, _ provider: Person, by method: String = "wallet", amount: Int = 12_000
    ) async throws -> OrderSnapshot {
        let order = try await accepted(customer, provider, amount: amount)
        try await pay(order, customer, held: method)
        return order
    }

    /// Pays and waits until it is held.
    func pay(_ order: OrderSnapshot, _ customer: Person, held method: String) async throws {
        let answer =
            method == "card"
            ? try await payByCard(order, customer, try await card(customer))
            : try await pay(order, customer, by: method)
        try #require(answer.status == 202, "\(answer.text)")
        try await eventually(order, is: .held)
    }

    /// An order that is done and paid out.
    func captured(
        _ customer: Person, _ provider: Person, by method: String = "wallet", amount: Int = 12_000
    ) async throws -> OrderSnapshot {
        let order = try await held(customer, provider, by: method, amount: amount)
        try await hear(order.now(.completed))
        try await eventually(order, is: .captured)
        return order
    }

    func refund(
        _ order: OrderSnapshot, _ admin: Person?, _ amount: Int, to: String = "wallet", fundedBy: String = "platform",
        more: String = "", key: String? = UUID.timeOrdered().text
    ) async throws -> Answer {
        try await post(
            "orders/\(order.order.text)/refunds", admin,
            #"{"amount": \#(amount), "to": "\#(to)", "fundedBy": "\#(fundedBy)", "reason": "Late"\#(more)}"#, key: key)
    }

    /// The platform's earnings in riyals.
    func platform() async throws -> Int {
        try await pool.query(SumAccounts()).first { $0.kind == "platform" && $0.currency == "SAR" }?.balance ?? 0
    }

    /// What the statement of somebody says: kind, amount and state of each line.
    func lines(_ person: Person) async throws -> [String] {
        try await get("statement?limit=100", person).items.map { line in
            let (kind, state) = (line["kind"]?.string ?? "", line["state"]?.string ?? "")
            return "\(kind) \(line["amount"]?.integer ?? 0) \(state)"
        }
    }

    /// Lets time pass for somebody's fines and the deadlines about them.
    func age(_ person: Person, days: Int) async throws {
        try await pool.withTransaction { transaction in
            // A check that runs now may have taken a deadline and set the next one, which only its commit shows.
            transaction.send(WaitForChecks())
            // In the order in which the runner locks them.
            transaction.send(AgeDeadlines(account: person.account.text, days: days))
            transaction.send(AgeFines(account: person.account, days: days))
        }
    }
}

private struct AgeFines: Statement {
    static let sql: SQL = """
        UPDATE fines SET charged_at = charged_at - $2 * interval '1 day', due_at = due_at - $2 * interval '1 day',
            reminded_at = reminded_at - $2 * interval '1 day'
        WHERE account = $1
        """
    let account: UUID
    let days: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, days) }
}

/// Waits until no transaction changes deadlines, and lets none begin.
private struct WaitForChecks: Statement {
    static let sql: SQL = "LOCK TABLE deadlines IN EXCLUSIVE MODE"
}

private struct AgeDeadlines: Statement {
    static let sql: SQL = """
        UPDATE deadlines SET due_at = due_at - $2 * interval '1 day' WHERE subject LIKE $1 || ' %'
        """
    let account: String
    let days: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, days) }
}

extension OrderSnapshot {
    /// The same order later on, changed.
    func now(_ state: State, version: Int, _ change: (inout OrderSnapshot) -> Void) -> OrderSnapshot {
        var later = now(state, version: version)
        change(&later)
        return later
    }

    /// Cancelled late.
    func fined(_ amount: Int, version: Int = 6) -> OrderSnapshot {
        now(.cancelled, version: version) { $0.fine = Money(amount: amount, currency: "SAR") }
    }
}
