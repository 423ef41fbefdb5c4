import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// The caller's cards.
struct CardRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("cards") { _, context in
            let cards = try await parts.pool.query(ListCards(account: context.caller.accountID))
            return WholeList(items: cards.map(CardView.init))
        }
        group.post("cards", use: add)
        group.delete("cards/:card") { _, context in
            let card = try context.uuid("card")
            let touched = try await parts.pool.execute(DeleteCard(card: card, account: context.caller.accountID))
            guard touched == 1 else { throw Problem.notFound }
            return Response(status: .noContent)
        }
    }

    @Sendable private func add(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        // The number counts as a secret: not even a keyed hash of it is kept.
        let once = try await IdempotentRequest(request, context: context, secretFields: ["number"])
        let form = try CardForm(try await once.request.form(context: context), now: Date())
        let account = context.caller.accountID
        return try await parts.idempotency.answer(once) {
            try await parts.provider.store(
                number: form.number, expiry: form.expiry, cvv: form.cvv, holder: form.holder)
        } _: { transaction, stored in
            let card = StoredCard(
                id: .timeOrdered(), account: account, reference: stored.reference, brand: stored.brand,
                lastFour: stored.lastFour, expiry: form.expiry, holder: form.holder)
            try await LeavingAccounts.refuse(account, in: transaction)
            transaction.send(LockCards(account: account))
            guard try await transaction.execute(InsertCard(card: card, limit: StoredCard.limit)) == 1 else {
                throw Problem.tooManyCards
            }
            return try .json(.created, CardView(card))
        }
    }
}

/// A card as somebody types it.
struct CardForm {
    let number: CardNumber
    let expiry: CardExpiry
    let cvv: Redacted<String>
    let holder: String

    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form, now: Date) throws(Problem) {
        let number = form.secret("number", length: 12...40).flatMap { text in
            let number = CardNumber(text.revealed)
            if number == nil { form.reject("number", "not-a-card-number") }
            return number
        }
        let month = form.integer("expiryMonth", in: 1...12)
        let year = form.integer("expiryYear", in: 0...2099)
        var expiry: CardExpiry?
        if let month, let year {
            expiry = CardExpiry(month: month, year: year)
            if expiry == nil { form.reject("expiryYear", "not-a-card-year") }
            if let known = expiry, known.isPast(at: now) || known.year > Self.latestYear(now) {
                form.reject("expiryYear", known.isPast(at: now) ? "card-expired" : "not-a-card-year")
            }
        }
        let cvv = Self.cvv(form)
        let holder = form.string("holder", length: 2...100)
        guard let number, let expiry, let cvv, let holder, form.isValid else { throw form.problem }
        self.number = number
        self.expiry = expiry
        self.cvv = cvv
        self.holder = holder
    }

    /// Three or four digits, as they are.
    static func cvv(_ form: Form) -> Redacted<String>? {
        guard let cvv = form.secret("cvv", length: 3...4) else { return nil }
        guard cvv.revealed.utf8.allSatisfy({ (48...57).contains($0) }) else {
            form.reject("cvv", "not-a-cvv")
            return nil
        }
        return cvv
    }

    /// No card is good for longer than twenty years.
    private static func latestYear(_ now: Date) -> Int {
        (CardExpiry.calendar.dateComponents([.year], from: now).year ?? 2026) + 20
    }
}

struct CardView: Encodable, Sendable {
    let card: String
    let brand: String
    let lastFour: String
    let expiryMonth: Int
    let expiryYear: Int
    let holder: String

    init(_ stored: StoredCard) {
        card = stored.id.text
        brand = stored.brand
        lastFour = stored.lastFour
        expiryMonth = stored.expiry.month
        expiryYear = stored.expiry.year
        holder = stored.holder
    }
}
