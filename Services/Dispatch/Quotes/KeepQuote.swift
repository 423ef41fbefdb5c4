import Foundation
import Postgres
import ServiceKit

/// Keeps a quote, so that it binds.
struct KeepQuote: Sendable {
    /// How long one that nobody used is kept beyond its end, so that its owner is told that it has expired.
    static let keptSeconds = 3_600.0

    /// - Throws: ``Problem/accountLeaving``, ``Problem/banned``
    func callAsFunction(_ quote: Quote, in transaction: PostgresTransaction) async throws {
        try await Admission.require(quote.account, in: quote.market, transaction)
        transaction.send(PurgeQuotes(before: quote.madeAt.addingTimeInterval(-Self.keptSeconds)))
        transaction.send(try InsertQuote(quote))
    }
}

/// Uses a quote up for an order, in the transaction that makes the order: of any number that try, one has it.
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
