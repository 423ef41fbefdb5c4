import Contracts
import Foundation
import HTTPTypes
import Messaging
import Hummingbird
import Postgres
import ServiceKit

/// Exports a market's orders as CSV, read and written in parts.
struct ExportOrderLines: Sendable {
    private static let partRows = 500

    let pool: PostgresPool
    var maximumRows = 50_000

    /// - Throws: 422 if there are more than ``maximumRows``; then nothing is written.
    func callAsFunction(_ filter: OrderFilter, language: Language) async throws -> Response {
        let count = try await pool.first(CountOrders(filter: filter, limit: maximumRows + 1)) ?? 0
        guard count <= maximumRows else {
            throw Problem(
                "export-too-large", status: .unprocessableContent, arguments: ["maximum": String(maximumRows)])
        }
        // Read before the response starts, so that a database error becomes a problem and not a truncated file.
        let first = try await part(filter, after: .oldest)
        return .csv(
            name: "orders-\(filter.market)",
            body: ResponseBody { writer in
                var rows = first
                var written = rows.count
                try await writer.write(
                    ByteBuffer(string: CSVLine.byteOrderMark + CSVLine.text(Self.head.map { .text($0) })))
                while let last = rows.last {
                    let lines = try await LongWork.run { [rows] in
                        try rows.map { try Self.line($0, language) }.joined()
                    }
                    try await writer.write(ByteBuffer(string: lines))
                    // New orders may have been added since the count, but the limit still applies.
                    guard rows.count == Self.partRows, written < maximumRows else { break }
                    rows = try await part(filter, after: last.order.position)
                    written += rows.count
                }
                try await writer.finish(nil)
            })
    }

    private func part(_ filter: OrderFilter, after: ListPosition) async throws -> [OrderExportRow] {
        try await pool.query(ExportOrders(filter: filter, after: after, limit: Self.partRows))
    }

    private static let head = [
        "order", "state", "requestedAt", "endedAt", "customer", "customerName", "provider", "providerName", "companion",
        "services", "totalMinorUnits", "currency", "method", "paymentState", "providerShareMinorUnits",
        "platformShareMinorUnits", "reason",
    ]

    private static func line(_ row: OrderExportRow, _ language: Language) throws -> String {
        let order = try row.order.order()
        return CSVLine.text([
            .text(order.order.text), .text(order.state.rawValue), .text(Timestamp.text(order.requestedAt)),
            .text(row.endedAt.map(Timestamp.text)), .text(order.customer.account.text), .text(order.customer.name),
            .text(order.provider?.account.text), .text(order.provider?.name), .text(row.order.companion),
            .text(order.services.map { $0.name.text(in: language.rawValue) }.joined(separator: "; ")),
            .number(order.total.amount), .text(order.total.currency), .text(row.method ?? order.payment.method),
            .text(row.paymentState ?? order.payment.state.rawValue), .number(row.providerShare),
            .number(row.platformShare), .text(order.reason),
        ])
    }
}
