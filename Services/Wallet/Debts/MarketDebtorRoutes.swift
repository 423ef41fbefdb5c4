import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Serves a market's debtors to its admins, who may write off what they owe.
struct MarketDebtorRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/debtors", use: list)
        group.get("markets/{market}/debtors.csv", use: csv)
        group.get("markets/{market}/debtors/{account}", use: find)
        group.post("markets/{market}/debtors/{account}/write-off", use: writeOff)
    }

    @Sendable private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<DebtorView> {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let currency = query.currency()
        let page = try query.page(
            of: "markets/\(market.id)/debtors", owner: context.caller.accountID, sealedBy: parts.sealer)
        let rows = try await parts.pool.query(
            ListDebtors(
                market: market.id, currency: currency, after: page.last, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.since, $0.account) }, item: DebtorView.init)
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let currency = query.currency()
        try query.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "debtors-\(market.id)",
            head: ListDebtors.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(
                    ListDebtors(market: market.id, currency: currency, after: after, limit: limit))
            }, position: { ($0.since, $0.account) },
            line: { row in
                [
                    .text(row.account.text), .number(row.waiting), .text(row.currency), .number(row.receivers),
                    .text(Timestamp.text(row.since)),
                ]
            }
        ).response()
    }

    @Sendable private func find(_ request: Request, _ context: AuthenticatedContext) async throws -> OwedView {
        let market = try context.administeredMarket()
        let account = try context.uuid("account")
        let query = QueryForm(request)
        let currency = query.currency() ?? parts.settings(of: market).currency
        try query.finish()
        let (owed, waiting) = try await parts.pool.withTransaction(.readOnly) { transaction in
            let owed = try await WriteOffDebt.owed(
                by: account, currency, in: market.id, transaction: transaction)
            let waiting = try await transaction.first(SumWaitingFor(debtor: account, currency: currency)) ?? 0
            return (owed, waiting)
        }
        // Debts of other markets are none of this market's business.
        guard owed.inMarket > 0 else { throw Problem.notFound }
        return OwedView(
            account: account.text, owed: AmountView(amount: owed.all, currency: currency),
            canBeWrittenOff: AmountView(amount: owed.inMarket, currency: currency),
            waiting: AmountView(amount: waiting, currency: currency))
    }

    @Sendable private func writeOff(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let account = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let amount = form.integer("amount", in: 1...WriteOff.maximum)
        let named = MarketForm.named(form)
        let reason = form.words("reason", length: 3...500)
        guard let amount, let reason, form.isValid else { throw form.problem }
        let currency = named ?? parts.settings(of: market).currency
        let threshold = parts.amount(\.secondApprovalAmount, in: currency, of: market)
        let wish = WriteOff.Wish(account: account, currency: currency, amount: amount, reason: reason)
        return try await parts.idempotency.answer(once) { transaction in
            let outcome = try await WriteOffDebt.begin(
                wish, in: market.id, by: context.caller.accountID, above: threshold, at: parts.clock(), in: transaction)
            switch outcome {
            case .made(let writeOff): return try .json(.ok, WriteOffView(writeOff))
            case .waits(let approval): return try ApprovalView.waiting(approval)
            }
        }
    }
}

/// A debtor for whom people wait.
struct DebtorView: Encodable, Sendable {
    let account: String
    /// The sum that receivers wait for in this market.
    let waiting: AmountView
    let receivers: Int
    let since: Date

    init(_ row: ListDebtors.Row) {
        account = row.account.text
        waiting = AmountView(amount: row.waiting, currency: row.currency)
        receivers = row.receivers
        since = row.since
    }
}

struct OwedView: ResponseEncodable, Sendable {
    let account: String
    /// In all markets together.
    let owed: AmountView
    /// The part that this market's admins may write off.
    let canBeWrittenOff: AmountView
    /// The sum that receivers wait for; the platform is owed the rest.
    let waiting: AmountView
}

extension WriteOff.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .moreThanOwed(let owed, let currency):
            Problem(
                "write-off-above-debt", status: .conflict,
                arguments: ["amount": Money(amount: owed, currency: currency).decimal, "currency": currency],
                extensions: ["owed": .integer(Int64(owed)), "currency": .string(currency)])
        case .frozen: Problem("write-off-wallet-frozen", status: .conflict)
        case .waits: Problem("write-off-waits", status: .conflict)
        }
    }
}
