import Contracts
import Foundation
import HTTPTypes
import Postgres
import SeraiJSON
import ServiceKit

extension ReportRow {
    /// Locks an open report until the commit and finds its order. A party of the order cannot close it, since an admin
    /// may order and earn like anybody.
    ///
    /// - Throws: ``Problem``
    static func open(
        _ id: UUID, for caller: Caller, in transaction: PostgresTransaction
    ) async throws -> (report: ReportRow, order: OrderSnapshot) {
        guard let report = try await transaction.first(LockReport(report: id)), try caller.isAdmin(in: report.market)
        else { throw Problem.notFound }
        guard report.isOpen else {
            var extensions: [String: JSONValue] = ["state": .string(report.state)]
            extensions["decision"] = report.decision.map { .string($0) }
            throw Problem("report-closed", status: .conflict, extensions: extensions)
        }
        guard let order = try await transaction.first(ShowOrder(order: report.order))?.order() else {
            throw Problem("order-not-known", status: .conflict, headers: [.retryAfter: "1"])
        }
        guard report.account != caller.accountID, !order.isOf(caller.accountID) else {
            throw Problem.ownMatter
        }
        return (report, order)
    }
}

extension OrderSnapshot {
    /// Whether the account is the order's customer, its provider, or a receiver of its price.
    fileprivate func isOf(_ account: UUID) -> Bool {
        customer.account == account || provider?.account == account
            || (shares ?? []).contains { $0.account == account }
    }
}
