import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `GET /dispatch/v1/orders.csv`: the caller's own orders of a range of days as a file, oldest first (X9).
struct OrderFileRoutes: Sendable {
    /// Days up to now, without a range in the query.
    static let defaultDays = 366.0

    let orders: OrderRoutes

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("orders.csv") { try await file($0, $1) }
    }

    private func file(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let query = QueryForm(lenient: request)
        let role =
            query.choice("role", of: OrderActor.mealParties.map(\.rawValue).sorted())
            .flatMap(OrderActor.init) ?? .customer
        let (named, bound) = (query.choice("market", of: Market.all.map(\.id)), context.caller.keyMarket)
        let section = query.choice("section", of: ["all", "active", "delivered", "cancelled"])
        let to = query.date("to") ?? orders.clock()
        let from = query.date("from") ?? to.addingTimeInterval(-Self.defaultDays * 86_400)
        guard query.isValid else { throw query.problem }
        // An API key has a file of its market's orders alone, as their customer.
        guard bound == nil || (role == .customer && (named ?? bound) == bound) else { throw Problem.outsideKeyScope }
        let market = bound ?? named
        let seal = orders.seal
        let (pool, account, language) = (orders.reader.pool, context.caller.accountID, context.language.rawValue)
        let markets = orders.markets
        return try await StreamCSV(
            name: "orders", head: OrderFileWords.columns.map { $0.text(in: language) },
            part: { after, limit in
                let part = OrderFilePart(
                    account: account, market: market, section: section ?? "all", from: from, to: to, after: after?.id,
                    limit: limit)
                let rows =
                    switch role {
                    case .provider: try await pool.query(ListProviderFile(part: part))
                    case .merchant: try await pool.query(ListMerchantFile(part: part))
                    case .customer, .admin, .system: try await pool.query(ListCustomerFile(part: part))
                    }
                return try rows.map { row in
                    let details = try row.details().opened(by: seal)
                    return OrderView(details, of: markets.named(details.order.market), for: role, in: language)
                }
            },
            position: { ($0.requestedAt, UUID(uuidString: $0.order) ?? UUID()) },
            line: { Self.line($0, of: markets.named($0.market), role, language) },
            cut: OrderFileWords.cut.text(in: language)
        ).response()
    }

    private static func line(
        _ order: OrderView, of market: Market?, _ role: OrderActor, _ language: String
    ) -> [CSVLine.Cell] {
        let other = role == .customer ? order.provider?.name : order.customer.name
        let names = order.services.map { $0.name.text(in: language) }.joined(separator: language == "ar" ? "، " : ", ")
        return [
            .text(order.order), .text(market?.name.text(in: language) ?? order.market),
            .text(market?.kind(order.kind)?.name.text(in: language) ?? order.kind), .text(order.label),
            .text(Timestamp.text(order.requestedAt)), .text(order.scheduledAt.map(Timestamp.text)),
            .text(order.ended.map { Timestamp.text($0.at) }), .text(other), .text(names),
            .number(order.total.amount), .text(order.total.currency),
            .text(order.payment.methodText ?? order.payment.method),
            .text(order.payment.stateText), .text(order.place.description),
            .text(order.destination?.description),
            .text(order.reasonText ?? order.reason),
        ]
    }
}

/// The words of the file.
enum OrderFileWords {
    static let columns: [LocalizedText] = [
        ["en": "Order", "ar": "الطلب"], ["en": "Market", "ar": "السوق"], ["en": "Kind", "ar": "النوع"],
        ["en": "State", "ar": "الحالة"], ["en": "Requested", "ar": "وقت الطلب"], ["en": "For", "ar": "الموعد"],
        ["en": "Ended", "ar": "وقت الانتهاء"], ["en": "Other party", "ar": "الطرف الآخر"],
        ["en": "Services", "ar": "الخدمات"], ["en": "Total (minor units)", "ar": "الإجمالي (بأصغر وحدة)"],
        ["en": "Currency", "ar": "العملة"], ["en": "Paid by", "ar": "طريقة الدفع"],
        ["en": "Payment", "ar": "حالة الدفع"], ["en": "Place", "ar": "المكان"],
        ["en": "Destination", "ar": "الوجهة"], ["en": "Reason", "ar": "السبب"],
    ]

    static let cut: LocalizedText = [
        "en": "Only the first 50000 lines. Choose a shorter time.",
        "ar": "أول 50000 سطر فقط. يُرجى اختيار مدة أقصر.",
    ]
}

/// A part of an account's orders that were requested in a range of time, oldest first. Ids grow with time.
struct OrderFilePart: Sendable {
    let account: UUID
    let market: String?
    let section: String
    let from: Date
    let to: Date
    let after: UUID?
    let limit: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, market, section, from, to, after ?? Self.least, limit)
    }

    /// Conditions of all order files besides the account's part in the order.
    static let conditions: SQL = """
        ($2::text IS NULL OR market = $2)
            AND ($3 = 'all' OR $3 = 'active' AND NOT is_final OR $3 = 'delivered' AND state = 'completed'
                OR $3 = 'cancelled' AND is_final AND state <> 'completed')
            AND requested_at >= $4 AND requested_at < $5 AND id > $6
        """

    private static let least = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

struct ListCustomerFile: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE customer = $1 AND \(OrderFilePart.conditions) ORDER BY id LIMIT $7
        """
    let part: OrderFilePart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

struct ListProviderFile: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE provider = $1 AND \(OrderFilePart.conditions) ORDER BY id LIMIT $7
        """
    let part: OrderFilePart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// Orders that were never paid are left out, as in the merchant's lists.
struct ListMerchantFile: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE merchant = $1 AND payment_method IS NOT NULL AND \(OrderFilePart.conditions)
        ORDER BY id LIMIT $7
        """
    let part: OrderFilePart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}
