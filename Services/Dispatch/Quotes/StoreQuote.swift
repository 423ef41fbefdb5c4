import Foundation
import Postgres
import ServiceKit

/// Stores a quote, which makes it binding.
struct StoreQuote: Sendable {
    /// The time for which an unused quote is kept after it expired, so that its owner is told that it has expired.
    static let keptSeconds = 3_600.0

    /// - Throws: ``Problem/accountLeaving``, ``Problem/banned``
    func callAsFunction(_ quote: Quote, in transaction: PostgresTransaction) async throws {
        try await Admission.require(quote.account, in: quote.market, transaction)
        transaction.send(PurgeQuotes(before: quote.madeAt.addingTimeInterval(-Self.keptSeconds)))
        transaction.send(try InsertQuote(quote))
    }
}

/// Uses a quote up in the transaction that creates the order. Of concurrent calls exactly one succeeds.
struct UseQuote: Sendable {
    /// - Throws: ``QuoteRefusal``
    func callAsFunction(
        _ id: UUID, for order: UUID, kind: String, in market: String, by account: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Quote {
        let claim = ClaimQuote(quote: id, order: order, account: account, market: market, kind: kind, now: now)
        if let row = try await transaction.first(claim) { return try row.quote() }
        guard let quote = try await transaction.first(FindQuote(quote: id)), quote.account == account,
            quote.market == market, quote.kind == kind
        else { throw QuoteRefusal.notFound }
        if let order = quote.order { throw QuoteRefusal.used(order: order) }
        throw QuoteRefusal.expired
    }
}
