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
        group.put("bank-accounts/:bankAccount", use: change)
        group.delete("bank-accounts/:bankAccount", use: remove)
    }

    /// Requires `confirm=true`; otherwise the answer asks for confirmation and nothing is removed.
    @Sendable private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (id, account) = (try context.uuid("bankAccount"), context.caller.accountID)
        guard let saved = try await parts.pool.first(FindBankAccount(bankAccount: id, account: account)) else {
            throw Problem.notFound
        }
        guard QueryParameters(request)["confirm"] == "true" else {
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
        guard let market, let details, let iban = details.iban, form.isValid else { throw form.problem }
        try context.caller.require(anyOf: ["customer", "provider"], in: market.id)
        let account = context.caller.accountID
        return try await parts.idempotency.answer(once) {
            try await parts.provider.store(
                iban, holder: details.holder, currency: parts.settings(of: market).currency)
        } _: { transaction, handedOver in
            try await AccountDeletionGuard.refuse(account, in: transaction)
            let bankAccount = BankAccount(
                id: .timeOrdered(), account: account, destination: details.destination(iban, handedOver))
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
        let market = MarketForm.market(form, required: details?.iban != nil)
        guard let details, form.isValid else { throw form.problem }
        let find = FindBankAccount(bankAccount: id, account: account)
        guard try await parts.pool.first(find) != nil else { throw Problem.notFound }
        var number: PayoutDestination?
        if let iban = details.iban, let market {
            let handedOver = try await parts.provider.store(
                iban, holder: details.holder, currency: parts.settings(of: market).currency)
            number = details.destination(iban, handedOver)
        }
        let update = UpdateBankAccount(
            bankAccount: id, account: account, holder: details.holder, bankName: details.bankName, number: number)
        guard let changed = try await parts.pool.first(update) else { throw Problem.notFound }
        return BankAccountView(changed)
    }
}

/// The fields of a bank account.
struct BankAccountForm {
    let holder: String
    let bankName: String
    let iban: IBAN?

    /// Returns nil when a field is invalid.
    init?(_ form: Form, needsNumber: Bool) {
        let holder = form.words("holder", length: 2...100)
        let bankName = form.words("bankName", length: 2...100)
        var iban: IBAN?
        if let text = form.code("iban", length: 10...60, required: needsNumber) {
            iban = IBAN(text.revealed)
            if iban == nil { form.reject("iban", "not-an-iban") }
        }
        guard let holder, let bankName, form.isValid else { return nil }
        self.holder = holder
        self.bankName = bankName
        self.iban = iban
    }

    func destination(_ iban: IBAN, _ handedOver: PaymentProvider.HandedOver) -> PayoutDestination {
        PayoutDestination(
            kind: .bankAccount, reference: handedOver.reference, holder: holder, bankName: bankName,
            country: iban.country, lastFour: iban.lastFour, fingerprint: handedOver.fingerprint)
    }
}

struct BankAccountView: ResponseEncodable, Sendable {
    let bankAccount: String
    let holder: String
    let bankName: String
    let country: String
    let lastFour: String

    init(_ saved: BankAccount) {
        bankAccount = saved.id.text
        holder = saved.destination.holder
        bankName = saved.destination.bankName ?? ""
        country = saved.destination.country ?? ""
        lastFour = saved.destination.lastFour
    }
}

extension PaymentProvider.BankAccountError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unavailable: Problem("payment-provider-down", status: .serviceUnavailable, headers: [.retryAfter: "5"])
        case .refused: .invalidFields([FieldProblem(JSONPointer.root.appending("iban"), "bank-account-refused")])
        }
    }
}
