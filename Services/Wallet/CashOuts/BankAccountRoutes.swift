import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves the caller's saved bank accounts. A number is passed to the payment provider and not kept here.
struct BankAccountRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("bank-accounts") { _, context in
            let saved = try await parts.pool.query(ListBankAccounts(account: context.caller.accountID))
            return WholeList(items: saved.map(BankAccountView.init))
        }
        group.post("bank-accounts", use: add)
        group.put("bank-accounts/{bankAccount}", use: change)
        group.delete("bank-accounts/{bankAccount}", use: remove)
    }

    /// Requires `confirm=true`; otherwise the answer asks for confirmation and nothing is removed.
    @Sendable private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (id, account) = (try context.uuid("bankAccount"), context.caller.accountID)
        guard let saved = try await parts.pool.first(FindBankAccount(bankAccount: id, account: account)) else {
            throw Problem.notFound
        }
        guard QueryForm(request)["confirm"] == "true" else {
            throw Problem.confirmRemoval(of: saved.destination)
        }
        let touched = try await parts.pool.execute(DeleteBankAccount(bankAccount: id, account: account))
        guard touched == 1 else { throw Problem.notFound }
        return Response(status: .noContent)
    }

    @Sendable private func add(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let market = MarketForm.market(form)
        let details = BankAccountForm(form, needsNumber: true)
        guard let market, let details, let number = details.number, form.isValid else { throw form.problem }
        try context.caller.require(anyOf: ["customer", "provider"], in: market.id)
        let account = context.caller.accountID
        let currency = parts.settings(of: market).currency
        try number.form.checkCurrency(currency)
        return try await parts.idempotency.answer(once) {
            try await parts.provider.store(number, holder: details.holder, currency: currency)
        } _: { transaction, handedOver in
            try await AccountDeletionGuard.refuse(account, in: transaction)
            let bankAccount = BankAccount(
                id: .timeOrdered(), account: account, destination: details.destination(number, handedOver))
            let saved = try await SaveBankAccount.save(bankAccount, in: transaction)
            return try .json(
                saved.id == bankAccount.id ? .created : .ok, BankAccountView(saved),
                at: "/wallet/v1/bank-accounts/\(saved.id.text)")
        }
    }

    /// Changes a saved bank account. Earlier cash-outs keep their destination.
    @Sendable private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> BankAccountView {
        let id = try context.uuid("bankAccount")
        let account = context.caller.accountID
        let form = try await request.form(context: context)
        let details = BankAccountForm(form, needsNumber: false)
        let market = MarketForm.market(form, required: details?.number != nil)
        guard let details, form.isValid else { throw form.problem }
        let find = FindBankAccount(bankAccount: id, account: account)
        guard try await parts.pool.first(find) != nil else { throw Problem.notFound }
        var number: PayoutDestination?
        if let other = details.number, let market {
            let currency = parts.settings(of: market).currency
            try other.form.checkCurrency(currency)
            let handedOver = try await parts.provider.store(other, holder: details.holder, currency: currency)
            number = details.destination(other, handedOver)
        }
        let update = UpdateBankAccount(
            bankAccount: id, account: account, holder: details.holder, bankName: details.bankName, number: number)
        guard let changed = try await parts.pool.first(update) else { throw Problem.notFound }
        return BankAccountView(changed)
    }
}

struct BankAccountView: ResponseEncodable, Sendable {
    let bankAccount: String
    let holder: String
    let bankName: String
    let country: String
    /// How the number is written: as an IBAN, with BSB, or with transit and institution.
    let form: String
    let lastFour: String

    init(_ saved: BankAccount) {
        bankAccount = saved.id.text
        holder = saved.destination.holder
        bankName = saved.destination.bankName ?? ""
        country = saved.destination.country ?? ""
        form = BankNumber.Form(country: country).rawValue
        lastFour = saved.destination.lastFour
    }
}

extension PaymentProvider.BankAccountError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unavailable: Problem("payment-provider-down", status: .serviceUnavailable, headers: [.retryAfter: "5"])
        case .refused(let form):
            .invalidFields([FieldProblem(JSONPointer.root.appending(form.field), "bank-account-refused")])
        }
    }
}
