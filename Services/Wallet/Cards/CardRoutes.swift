import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves the caller's cards.
struct CardRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("cards") { _, context in
            let cards = try await parts.pool.query(ListCards(account: context.caller.accountID))
            return WholeList(items: cards.map(CardView.init))
        }
        group.post("cards", use: add)
        group.patch("cards/{card}", use: change)
        group.delete("cards/{card}", use: remove)
    }

    @Sendable private func add(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try CardForm(try await once.request.form(context: context))
        let account = context.caller.accountID
        return try await parts.idempotency.answer(once) {
            try await StoreCard.atProvider(form, of: account, at: parts.clock(), parts)
        } _: { transaction, added in
            let (card, isNew) = try await StoreCard.here(form, added, of: account, at: parts.clock(), in: transaction)
            return try .json(isNew ? .created : .ok, CardView(card), at: "/wallet/v1/cards/\(card.id.text)")
        }
    }

    /// Changes the card at the payment provider first: when that fails, nothing is changed here.
    @Sendable private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> CardView {
        let (card, account) = (try context.uuid("card"), context.caller.accountID)
        let change = try CardForm.change(try await request.form(context: context), now: parts.clock())
        guard let found = try await parts.pool.first(FindCard(card: card, account: account)) else {
            throw Problem.notFound
        }
        if change.expiry != nil || change.holder != nil {
            try await parts.provider.update(found.reference, expiry: change.expiry, holder: change.holder)
        }
        let changed = try await parts.pool.withTransaction { transaction in
            try await ChangeCard.change(card, of: account, change, at: parts.clock(), in: transaction)
        }
        guard let changed else { throw Problem.notFound }
        return CardView(changed)
    }

    /// Requires `confirm=true`; otherwise the answer asks for confirmation and nothing is removed.
    @Sendable private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (card, account) = (try context.uuid("card"), context.caller.accountID)
        guard let found = try await parts.pool.first(FindCard(card: card, account: account)) else {
            throw Problem.notFound
        }
        guard QueryForm(request)["confirm"] == "true" else { throw Problem.confirmRemoval(of: found) }
        let isGone = try await parts.pool.withTransaction { transaction in
            try await ChangeCard.remove(card, of: account, at: parts.clock(), in: transaction)
        }
        guard isGone else { throw Problem.notFound }
        return Response(status: .noContent)
    }
}

/// The fields of a new card. Its number and CVV go from the app to the payment provider and are never here.
struct CardForm {
    /// The payment method that the app has made at the payment provider.
    let method: String
    let holder: String
    /// Whether recurring orders may charge the card without the CVV.
    let consents: Bool

    /// - Throws: a 422 ``Problem`` with every invalid field.
    init(_ form: Form) throws(Problem) {
        let method = Self.token(form, "paymentMethod", /pm_[A-Za-z0-9_]+/)
        let holder = form.words("holder", length: 2...100)
        consents = form.bool("consent", required: false) ?? false
        guard let method, let holder, form.isValid else { throw form.problem }
        self.method = method
        self.holder = holder
    }

    /// A token of the payment provider. Anything else is refused unread: a card number that was typed into this field
    /// goes nowhere.
    private static func token(_ form: Form, _ name: String, _ pattern: Regex<Substring>) -> String? {
        guard let token = form.secret(name, length: 5...255)?.revealed else { return nil }
        guard token.wholeMatch(of: pattern) != nil else {
            form.reject(name, "invalid-value")
            return nil
        }
        return token
    }

    /// Reads the changes of a stored card. Month and year must come together.
    ///
    /// - Throws: a 422 ``Problem`` with every invalid field, and when nothing is to change.
    static func change(_ form: Form, now: Date) throws(Problem) -> ChangeCard.Change {
        var change = ChangeCard.Change()
        change.holder = form.words("holder", length: 2...100, required: false)
        change.expiry = expiry(form, now: now, required: false)
        if let isDefault = form.bool("isDefault", required: false) {
            // The default can only move to another card.
            if !isDefault { form.reject("isDefault", "invalid-value") }
            change.isDefault = isDefault
        }
        change.consents = form.bool("consent", required: false)
        let isEmpty = change.holder == nil && change.expiry == nil && !change.isDefault && change.consents == nil
        if form.isValid, isEmpty { form.reject("holder", "required") }
        try form.finish()
        return change
    }

    /// The card's expiry; rejected when it is past or more than twenty years ahead.
    private static func expiry(_ form: Form, now: Date, required: Bool = true) -> CardExpiry? {
        let month = form.integer("expiryMonth", in: 1...12, required: required)
        let year = form.integer("expiryYear", in: 0...2099, required: required)
        guard let month, let year else {
            if month != nil, form.isValid { form.reject("expiryYear", "required") }
            if year != nil, form.isValid { form.reject("expiryMonth", "required") }
            return nil
        }
        guard let expiry = CardExpiry(month: month, year: year) else {
            form.reject("expiryYear", "not-a-card-year")
            return nil
        }
        if expiry.isPast(at: now) || expiry.year > latestYear(now) {
            form.reject("expiryYear", expiry.isPast(at: now) ? "card-expired" : "not-a-card-year")
        }
        return expiry
    }

    /// The payment provider's token of a CVV, good for one use.
    static func cvv(_ form: Form) -> String? { token(form, "cvvToken", /cvctok_[A-Za-z0-9_]+/) }

    /// No card is valid for more than twenty years.
    private static func latestYear(_ now: Date) -> Int {
        (CardExpiry.calendar.dateComponents([.year], from: now).year ?? 2026) + 20
    }
}

struct CardView: ResponseEncodable, Sendable {
    let card: String
    let brand: String
    let lastFour: String
    let expiryMonth: Int
    let expiryYear: Int
    let holder: String
    let isDefault: Bool
    /// Since when recurring orders may charge the card.
    let consentedAt: Date?

    init(_ stored: StoredCard) {
        card = stored.id.text
        brand = stored.brand
        lastFour = stored.lastFour
        expiryMonth = stored.expiry.month
        expiryYear = stored.expiry.year
        holder = stored.holder
        isDefault = stored.isDefault
        consentedAt = stored.consentedAt
    }
}
