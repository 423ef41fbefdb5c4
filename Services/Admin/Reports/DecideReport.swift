import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit

/// Decides about a report and its order's money. Decision, audit entry and event are one transaction; the first
/// decision counts.
struct DecideReport: Sendable {
    struct Input: Sendable {
        let decision: ReportDecided.Decision
        /// Both are required with `split`; their sum is the order's price.
        let toCustomer: Money?
        let toProvider: Money?
        let deposit: ReportDecided.DepositDecision?
        let reason: String
    }

    /// - Throws: ``Problem``: 404 for a report of a market that the caller does not administer, 403 for a report of the
    ///   caller's own order, 409 for one that is closed, that needs no decision, or whose order is not known yet, and
    ///   for splitting cash, 422 for amounts that do not add up to the price.
    static func decide(
        _ id: UUID, _ input: Input, by caller: Caller, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let (report, order) = try await ReportRow.open(id, for: caller, in: transaction)
        guard report.awaitsDecision else { throw Problem("nothing-to-decide", status: .conflict) }
        // Cash is paid as a whole or not at all; the platform has no part of it to give back.
        if input.decision == .split, order.payment.method == PaymentSnapshot.Method.cash.rawValue {
            throw Problem("cash-not-divided", status: .conflict)
        }
        let toCustomer = try part(input, of: order.total)
        let admin = caller.accountID
        transaction.send(
            CloseReport(
                report: id, state: .decided, decision: input.decision.rawValue, toCustomer: toCustomer,
                reply: input.reason, admin: admin, at: now))
        var after = [
            "order": report.order.text, "decision": input.decision.rawValue, "toCustomer": String(toCustomer),
            "currency": order.total.currency, "reason": input.reason,
        ]
        if let deposit = input.deposit { after["deposit"] = deposit.rawValue }
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: .timeOrdered(), at: now, market: report.market, service: "admin", action: "report.decided",
                    account: admin, subject: id.text, before: nil, after: try AuditEntry.values(after))))
        try transaction.publish(
            ReportDecided(
                report: id, order: report.order, market: report.market, decision: input.decision,
                toCustomer: input.decision == .split
                    ? Money(amount: toCustomer, currency: order.total.currency) : nil,
                deposit: input.deposit, reason: input.reason, by: admin, at: now))
    }

    /// The refund for the customer in minor units.
    private static func part(_ input: Input, of price: Money) throws(Problem) -> Int {
        switch input.decision {
        case .payProvider, .returnToCustomer:
            let given = [("toCustomer", input.toCustomer), ("toProvider", input.toProvider)].filter { $0.1 != nil }
            guard given.isEmpty else {
                throw .invalidFields(given.map { FieldProblem(JSONPointer([$0.0]), "only-with-split") })
            }
            return input.decision == .payProvider ? 0 : price.amount
        case .split:
            var problems: [FieldProblem] = []
            for (name, money) in [("toCustomer", input.toCustomer), ("toProvider", input.toProvider)] {
                if money == nil { problems.append(FieldProblem(JSONPointer([name]), "required")) }
                if let money, money.currency != price.currency {
                    problems.append(
                        FieldProblem(
                            JSONPointer([name, "currency"]), "other-currency", ["currency": price.currency]))
                }
            }
            guard problems.isEmpty, let toCustomer = input.toCustomer, let toProvider = input.toProvider else {
                throw .invalidFields(problems)
            }
            let (sum, isTooLarge) = toCustomer.amount.addingReportingOverflow(toProvider.amount)
            guard !isTooLarge, sum == price.amount else {
                throw .invalidFields([
                    FieldProblem(
                        "toProvider", "not-the-price", ["price": String(price.amount), "currency": price.currency])
                ])
            }
            return toCustomer.amount
        }
    }
}
