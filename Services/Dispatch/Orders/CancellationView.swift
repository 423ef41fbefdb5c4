import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// Price of a cancellation, and the time until which it binds.
struct CancellationView: ResponseEncodable, Encodable, Sendable {
    let order: String
    let isFree: Bool
    let fine: Money
    /// Metres of the provider's way since the acceptance, as far as they are fined.
    let metres: Int
    /// Minor units, at the current rate.
    let finePerKilometre: Int
    /// The fixed fee; minor units.
    let fee: Int
    let validUntil: Date
    /// Sealed quote; sent with the cancellation, it proves the shown amount.
    let quote: String

    init(_ answer: QuoteCancellation.Answer, seal: String) {
        order = answer.order.id.text
        isFree = answer.quote.fine.amount == 0
        fine = Money(amount: answer.quote.fine.amount, currency: answer.order.currency)
        metres = answer.quote.fine.metres
        finePerKilometre = answer.perKilometre
        fee = answer.fee
        validUntil = answer.quote.until
        quote = seal
    }
}

/// Seals cancellation quotes: signed for order and person, so that nothing is stored and any process can verify them.
struct QuoteSealer: Sendable {
    /// Signs a list of values for a scope; a quote is such a list.
    let cursors: CursorSealer

    func seal(_ quote: CancellationQuote, of order: UUID, for account: UUID) throws -> String {
        let values: [CursorValue] = [
            .integer(Int64(quote.fine.amount)), .integer(Int64(quote.fine.metres)), .date(quote.until),
        ]
        return try cursors.seal(Cursor(.ascending, values), for: scope(order, account))
    }

    /// Opens a sealed quote; nil if it was not sealed here for this order and person.
    func open(_ text: String, of order: UUID, for account: UUID) -> CancellationQuote? {
        do {
            let values = try cursors.open(text, for: scope(order, account)).values
            guard values.count == 3, let amount = values[0].integer, let metres = values[1].integer,
                let until = values[2].date
            else { return nil }
            return CancellationQuote(fine: LateCancellationFee(metres: Int(metres), amount: Int(amount)), until: until)
        } catch {
            return nil
        }
    }

    private func scope(_ order: UUID, _ account: UUID) -> CursorScope {
        CursorScope(list: "cancellation", filters: ["order": order.text], owner: account.text)
    }
}

extension CancelOrder.Input {
    /// - Parameters:
    ///   - slugs: no own words; see ``Form/reason(not:)``.
    ///   - open: opens a sealed quote; nil if the text is no valid quote.
    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form, not slugs: Set<String>, open: (String) -> CancellationQuote?) throws(Problem) {
        reason = form.reason(not: slugs)
        if let fine = form.object("acceptedFine", required: false) {
            let amount = fine.integer("amount", in: 0...1_000_000_000_000)
            let currency = fine.string("currency", length: 3...3)
            if let amount, let currency { accepted = Money(amount: amount, currency: currency) }
        }
        if let text = form.string("quote", length: 1...CursorSealer.maximumCharacters, required: false) {
            quote = open(text)
            if quote == nil { form.reject("quote", "not-a-quote") }
        }
        try form.finish()
    }
}

extension Request {
    /// The body as a form; nil if the body is empty.
    ///
    /// - Throws: ``Problem``
    func optionalForm(context: AuthenticatedContext) async throws -> Form? {
        let body = try await body.collect(upTo: context.maxUploadSize)
        return body.readableBytes > 0 ? try await form(context: context) : nil
    }
}
