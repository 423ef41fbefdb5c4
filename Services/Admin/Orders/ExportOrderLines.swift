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
    /// The market of the orders, for its words.
    let market: Market?
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
                let head = CSVLine.text(Self.head.map { .text($0.text(in: language.rawValue)) })
                try await writer.write(ByteBuffer(string: CSVLine.byteOrderMark + head))
                while let last = rows.last {
                    let lines = try await LongWork.run { [rows] in
                        try rows.map { try line($0, language) }.joined()
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

    private static let head: [LocalizedText] = [
        ["en": "Order", "ar": "الطلب"], ["en": "State", "ar": "الحالة"],
        ["en": "Requested (UTC)", "ar": "وقت الطلب (UTC)"], ["en": "Ended (UTC)", "ar": "وقت الانتهاء (UTC)"],
        ["en": "Customer's account", "ar": "حساب العميل"], ["en": "Customer", "ar": "العميل"],
        ["en": "Provider's account", "ar": "حساب مقدم الخدمة"], ["en": "Provider", "ar": "مقدم الخدمة"],
        ["en": "Companion", "ar": "المرافق"], ["en": "Services", "ar": "الخدمات"],
        ["en": "Total (minor units)", "ar": "الإجمالي (بأصغر وحدة)"], ["en": "Currency", "ar": "العملة"],
        ["en": "Paid by", "ar": "طريقة الدفع"], ["en": "Payment", "ar": "حالة الدفع"],
        ["en": "Provider's share (minor units)", "ar": "حصة مقدم الخدمة (بأصغر وحدة)"],
        ["en": "Platform's share (minor units)", "ar": "حصة المنصة (بأصغر وحدة)"], ["en": "Reason", "ar": "السبب"],
    ]

    private func line(_ row: OrderExportRow, _ language: Language) throws -> String {
        let order = try row.order.order()
        let language = language.rawValue
        let state = market?.label(of: order.labelState, for: .admin, in: language, kind: order.kind)
        let method = (row.method ?? order.payment.method).map { Market.words(forMethod: $0)?.text(in: language) ?? $0 }
        let reason = order.reason.map { market?.words(for: $0)?.text(in: language) ?? $0 }
        return CSVLine.text([
            .text(order.order.text), .text(state ?? order.state.rawValue), .text(Timestamp.text(order.requestedAt)),
            .text(row.endedAt.map(Timestamp.text)), .text(order.customer.account.text), .text(order.customer.name),
            .text(order.provider?.account.text), .text(order.provider?.name), .text(row.order.companion),
            .text(order.services.map { $0.name.text(in: language) }.joined(separator: "; ")),
            .number(order.total.amount), .text(order.total.currency), .text(method),
            .text(Self.payment(row.paymentState, order, language)), .number(row.providerShare),
            .number(row.platformShare), .text(reason),
        ])
    }

    /// The wallet's state of the payment in words; before the wallet has told of one, the order's.
    private static func payment(_ state: String?, _ order: OrderSnapshot, _ language: String) -> String {
        let known = state.flatMap(PaymentSnapshot.State.init)?.name.text(in: language)
        return known ?? Market.words(forPayment: order.payment.state).text(in: language)
    }
}
