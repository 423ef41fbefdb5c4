import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// What the caller has, and where it came from and went. Everybody sees the own.
struct BalanceRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("wallets") { _, context in
            WholeList(items: try await ListWallets.of(context.caller, parts.pool))
        }
        group.get("statement", use: statement)
    }

    @Sendable private func statement(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<StatementLineView> {
        let query = try StatementQuery(request)
        let scope = CursorScope(list: "statement", filters: query.filters, owner: context.caller.accountID.text)
        let page = try PageRequest(request, scope: scope, sealer: parts.sealer)
        var after: (at: Date, id: UUID)?
        if let values = page.cursor?.values, values.count == 2, let at = values[0].date, let id = values[1].uuid {
            after = (at, id)
        }
        let filter = StatementFilter(
            account: context.caller.accountID, currency: query.currency, state: query.state, after: after,
            limit: page.fetchLimit)
        let rows =
            switch query.direction {
            case .ascending: try await parts.pool.query(ListStatementOldestFirst(filter: filter))
            case .descending: try await parts.pool.query(ListStatementNewestFirst(filter: filter))
            }
        return try Page(
            rows: rows, request: page, direction: query.direction, scope: scope, sealer: parts.sealer,
            position: { [.date($0.at), .uuid($0.id)] },
            item: { StatementLineView($0, language: context.language) })
    }
}

/// `?currency=SAR&state=waiting&sort=desc`; sorted by time, the oldest first where nothing is said.
struct StatementQuery {
    let currency: String?
    let state: StatementLine.State?
    let direction: Cursor.Direction

    init(_ request: Request) throws(Problem) {
        let query = request.uri.queryParameters
        currency = query["currency"].map(String.init)
        var wrong: [FieldProblem] = []
        if let currency, currency.wholeMatch(of: /[A-Z]{3}/) == nil {
            wrong.append(FieldProblem("currency", "invalid-value"))
        }
        state = query["state"].flatMap { StatementLine.State(rawValue: String($0)) }
        if query["state"] != nil, state == nil {
            let choices = StatementLine.State.allCases.map(\.rawValue).joined(separator: ", ")
            wrong.append(FieldProblem("state", "not-a-choice", ["choices": choices]))
        }
        switch query["sort"] {
        case nil, "asc": direction = .ascending
        case "desc": direction = .descending
        default:
            direction = .ascending
            wrong.append(FieldProblem("sort", "not-a-choice", ["choices": "asc, desc"]))
        }
        guard wrong.isEmpty else { throw Problem("invalid-query", status: .badRequest, fields: wrong) }
    }

    /// Everything that decides which rows are in the list, and in which order.
    var filters: [String: String] {
        ["currency": currency ?? "", "state": state?.rawValue ?? "", "sort": direction.rawValue]
    }
}

struct StatementLineView: Encodable, Sendable {
    let id: String
    let at: Date
    let kind: String
    /// In the caller's language.
    let transaction: String
    let beneficiary: String
    let payer: String
    /// Minor units; below zero what the caller pays.
    let amount: Int
    let currency: String
    let method: String?
    let state: String
    let reason: String?
    let market: String
    let order: String?

    init(_ row: StatementLineRow, language: Language) {
        let line = row.line
        id = row.id.text
        at = row.at
        kind = line.kind.rawValue
        let title = LocalizedText(line.title).text(in: language.rawValue)
        let name = StatementWords.name(of: line.kind).text(in: language.rawValue)
        transaction = title.isEmpty ? name : "\(name): \(title)"
        beneficiary = line.beneficiary
        payer = line.payer
        amount = line.amount
        currency = line.currency
        method = line.method?.rawValue
        state = line.state.rawValue
        reason = line.reason
        market = line.market
        order = line.order?.text
    }
}

/// What a statement calls its lines.
enum StatementWords {
    static func name(of kind: StatementLine.Kind) -> LocalizedText {
        switch kind {
        case .payment: ["en": "Payment", "ar": "دفع"]
        case .share: ["en": "Earnings", "ar": "أرباح"]
        case .commission: ["en": "Commission", "ar": "عمولة"]
        case .topUp: ["en": "Top-up", "ar": "شحن الرصيد"]
        }
    }
}
