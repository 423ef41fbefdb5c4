import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

/// What is told outside, in its order.
struct ReportsTold: Statement {
    static let sql: SQL = "SELECT name, payload FROM outbox WHERE name LIKE 'admin.report.%' ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (name: String, payload: String) {
        (try row.next(), try row.next())
    }
}

/// An order whose parties reported it.
struct ReportCase: Sendable {
    let story = Story()
    let report = UUID.timeOrdered()
    let complaint = UUID.timeOrdered()
    var method = "card"

    var disputed: OrderSnapshot {
        var order = story.snapshot(
            4, .disputed, minutes: 20, payment: .init(method: method, state: .held), reason: "not-done")
        order.report = report
        return order
    }

    func opened(
        _ by: OrderSnapshot.Actor = .customer, note: String? = nil, minutes: Double = 20
    ) -> ReportOpened {
        let isReport = by == .customer
        return ReportOpened(
            report: isReport ? report : complaint, order: story.order, market: "assef", by: by,
            account: isReport ? story.customer.account : story.provider.account,
            reason: isReport ? "not-done" : "other", note: note, cancels: isReport, awaitsDecision: isReport,
            at: story.time(minutes))
    }

    /// Writes what the handlers would.
    func tell(_ pool: PostgresPool) async throws {
        try await pool.withTransaction { transaction in
            try record(story.events[0], .timeOrdered(), transaction)
            try record(OrderDisputed(order: disputed), .timeOrdered(), transaction)
            RecordReport.opened(opened(note: "Only half of it"), message: .timeOrdered(), in: transaction)
            RecordReport.opened(
                opened(.provider, note: "The gate was shut", minutes: 25), message: .timeOrdered(), in: transaction)
        }
    }
}

extension AdminFixture {
    /// To a report: `{report}/decision` or `{report}/answer`.
    func postReport(
        _ path: String, _ body: String, as caller: TestCaller?, key: String? = nil
    ) async throws -> TestAnswer {
        try await send(
            .POST, "/admin/v1/reports/\(path)", as: caller, body: body,
            headers: ["Idempotency-Key": key ?? UUID().uuidString])
    }
}
