import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Serves the cash-outs of the caller, who must be a customer or provider of the market.
struct CashOutRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("cash-outs", use: ask)
        group.get("cash-outs", use: list)
        group.get("cash-outs/{cashOut}") { _, context in
            let id = try context.uuid("cashOut")
            guard let cashOut = try await parts.pool.first(FindCashOut(cashOut: id)),
                context.caller.isAccount(cashOut.account)
            else { throw Problem.notFound }
            return CashOutView(cashOut, context.language)
        }
    }

    @Sendable private func ask(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let market = MarketForm.market(form)
        let amount = form.integer("amount", in: RequestCashOut.amounts)
        let target = Target(form)
        guard let market, let amount, let target, form.isValid else { throw form.problem }
        let account = context.caller.accountID
        return try await parts.idempotency.answer(once) { () async throws -> (String, PayoutDestination) in
            // Not looked at for a repeat: the cash-out itself may have emptied the wallet.
            try await requireOwner(context.caller, in: market)
            let currency = try await MarketForm.currency(form, of: market, for: account, parts)
            return (currency, try await target.destination(of: account, currency: currency, parts))
        } _: { transaction, prepared in
            let (currency, destination) = prepared
            let terms = RequestCashOut.Terms(
                holds: CardHolds(parts.markets),
                limit: DailyLimit(
                    parts.amount(\.dailyCashOutLimit, in: currency, of: market), currency, at: parts.clock()))
            do {
                let cashOut = try await RequestCashOut.request(
                    amount: amount, currency: currency, market: market.id, account: account, to: destination,
                    saving: target.isSaved, on: terms, at: parts.clock(), in: transaction)
                // After the account lock, in the same order as a deletion.
                try await target.keep(destination, of: account, in: transaction)
                return try .json(
                    .created, CashOutView(cashOut, context.language), at: "/wallet/v1/cash-outs/\(cashOut.id.text)")
            } catch let error as LedgerError {
                throw error.asCashOut
            }
        }
    }

    /// Money stays its owner's: whoever has lost the role, such as by a ban in the market, still has it paid out there, unless
    /// another market of the same currency does it. An admin decides each cash-out.
    private func requireOwner(_ caller: Caller, in market: Market) async throws {
        do {
            try caller.require(anyOf: ["customer", "provider"], in: market.id)
        } catch {
            let settings = parts.settings(of: market)
            let isServedElsewhere = caller.roles.contains { role in
                parts.markets.named(role.market).map { parts.settings(of: $0).currency } == settings.currency
            }
            guard !isServedElsewhere else { throw error }
            let balances = try await parts.pool.query(ListBalances(account: caller.accountID))
            let isOwed = balances.contains {
                $0.amount > 0 && ($0.currency == settings.currency || settings.formerRates[$0.currency] != nil)
            }
            guard isOwed else { throw error }
        }
    }

    @Sendable private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<CashOutView> {
        let account = context.caller.accountID
        let query = QueryForm(request)
        let state = query.choice("state", of: CashOut.State.self)
        let page = try query.page(of: "cash-outs", owner: account, sealedBy: parts.sealer)
        let filter = CashOutFilter(
            account: account, market: nil, state: state, from: nil, to: nil, after: page.last,
            limit: page.fetchLimit)
        let settled = try await page.settled(parts.pool)
        let rows = try await parts.pool.query(ListCashOutsOfAccount(filter: filter))
        return try page.answer(
            rows, settled: settled, at: { ($0.madeAt, $0.id) }, item: { CashOutView($0, context.language) })
    }
}

/// The destination: a saved bank account, a stored card, or a newly entered bank account.
private enum Target {
    case saved(UUID)
    case card(UUID)
    case new(BankAccountForm, BankNumber, isSaved: Bool)

    /// Expects exactly one of `bankAccount`, `card`, and a number with holder and bank name; returns nil otherwise.
    init?(_ form: Form) {
        let saved = form.uuid("bankAccount", required: false)
        let card = form.uuid("card", required: false)
        // A number entered beside a chosen destination is ambiguous.
        if saved != nil || card != nil {
            let typed = BankAccountForm.given(form)
            for field in typed { form.reject(field, "only-one-destination") }
            guard typed.isEmpty else { return nil }
        }
        if saved == nil, card == nil, form.isValid {
            let isSaved = form.bool("save", required: false) ?? false
            guard let details = BankAccountForm(form, needsNumber: true), let number = details.number else {
                return nil
            }
            self = .new(details, number, isSaved: isSaved)
        } else if let saved, card == nil {
            self = .saved(saved)
        } else if let card, saved == nil {
            self = .card(card)
        } else {
            if saved != nil { form.reject("card", "only-one-destination") }
            return nil
        }
    }

    /// Refuses the cash-out when the saved bank account was changed or removed since it was read, so that no money goes
    /// to a former destination.
    func keep(
        _ destination: PayoutDestination, of account: UUID, in transaction: PostgresTransaction
    ) async throws {
        guard case .saved(let id) = self else { return }
        let kept = try await transaction.first(
            ShareLockBankAccount(bankAccount: id, account: account, reference: destination.reference))
        guard kept != nil else { throw Self.noSuchBankAccount }
    }

    private static let noSuchBankAccount = Problem.invalidFields([
        FieldProblem(JSONPointer.root.appending("bankAccount"), "no-such-bank-account")
    ])

    var isSaved: Bool { if case .new(_, _, isSaved: true) = self { true } else { false } }

    func destination(of account: UUID, currency: String, _ parts: WalletParts) async throws -> PayoutDestination {
        switch self {
        case .saved(let id):
            guard let saved = try await parts.pool.first(FindBankAccount(bankAccount: id, account: account)) else {
                throw Self.noSuchBankAccount
            }
            try BankNumber.Form(country: saved.destination.country ?? "")
                .checkCurrency(currency, field: "bankAccount")
            return saved.destination
        case .card(let id):
            guard let card = try await parts.pool.first(FindCard(card: id, account: account)) else {
                throw Problem.invalidFields([FieldProblem(JSONPointer.root.appending("card"), "no-such-card")])
            }
            if card.expiry.isPast(at: parts.clock()) {
                throw Problem.invalidFields([FieldProblem(JSONPointer.root.appending("card"), "card-expired")])
            }
            return PayoutDestination(
                kind: .card, reference: card.reference, holder: card.holder, bankName: nil, country: nil,
                lastFour: card.lastFour)
        case .new(let details, let number, _):
            try number.form.checkCurrency(currency)
            let handedOver = try await parts.provider.store(number, holder: details.holder, currency: currency)
            return details.destination(number, handedOver)
        }
    }
}

struct CashOutView: ResponseEncodable, Sendable {
    struct Destination: Encodable, Sendable {
        let kind: String
        let holder: String
        let bankName: String?
        let country: String?
        let lastFour: String
    }

    let cashOut: String
    let market: String
    let amount: AmountView
    let state: String
    let stateText: String
    /// Why the cash-out was rejected or failed.
    let reason: String?
    /// The reason in the caller's language; nil for an admin's own words.
    let reasonText: String?
    let destination: Destination
    let requestedAt: Date
    let decidedAt: Date?

    init(_ cashOut: CashOut, _ language: Language) {
        self.cashOut = cashOut.id.text
        market = cashOut.market
        amount = AmountView(amount: cashOut.amount, currency: cashOut.currency)
        state = cashOut.state.rawValue
        stateText = cashOut.state.name.text(in: language.rawValue)
        reason = cashOut.reason
        reasonText = StatementWords.text(of: cashOut.reason, in: language.rawValue)
        let to = cashOut.destination
        destination = Destination(
            kind: to.kind.rawValue, holder: to.holder, bankName: to.bankName, country: to.country,
            lastFour: to.lastFour)
        requestedAt = cashOut.madeAt
        decidedAt = cashOut.decidedAt
    }
}

extension CashOut.Decided: ProblemConvertible {
    var problem: Problem {
        Problem(
            "cash-out-decided", status: .conflict, arguments: ["state": state.rawValue],
            extensions: ["state": .string(state.rawValue)])
    }
}
