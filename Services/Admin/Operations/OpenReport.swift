import Foundation
import HTTPTypes
import Postgres
import ServiceKit

extension ReportRow {
    /// An open report, held until the commit.
    ///
    /// - Throws: ``Problem``
    static func open(
        _ id: UUID, for caller: Caller, in transaction: PostgresTransaction
    ) async throws -> ReportRow {
        guard let report = try await transaction.first(LockReport(report: id)), caller.has("admin", in: report.market)
        else { throw Problem.notFound }
        guard report.isOpen else {
            var extensions: [String: JSONValue] = ["state": .string(report.state)]
            extensions["decision"] = report.decision.map { .string($0) }
            throw Problem("report-closed", status: .conflict, extensions: extensions)
        }
        return report
    }
}
