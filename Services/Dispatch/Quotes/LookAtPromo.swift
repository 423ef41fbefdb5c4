import Foundation
import Postgres
import ServiceKit

/// What a promo code gives on a quote, by what the wallet has told. Nothing is promised of the use itself: the wallet takes it,
/// under the code's lock, when the order is paid.
struct LookAtPromo: Sendable {
    /// Codes that there are not, of an account in ``windowSeconds``: codes are not to be guessed.
    static let misses = 20
    static let windowSeconds = 600.0

    let pool: PostgresPool

    /// - Parameter price: minor units, before any discount.
    /// - Throws: a 429 ``Problem`` after too many codes that there are not.
    func callAsFunction(
        _ typed: String, on price: Int, in market: String, by account: UUID, at now: Date
    ) async throws -> QuotePromo {
        let misses = try await pool.first(ReadPromoMisses(account: account, windowSeconds: Self.windowSeconds)) ?? 0
        guard misses < Self.misses else { throw Self.tooMany }
        let promo = try await look(typed, on: price, in: market, by: account, at: now)
        guard promo.obstacle == .unknown || promo.obstacle == .otherMarket else { return promo }
        // Of many that are looked at together, no more are answered than may be.
        let count = try await pool.first(CountPromoMiss(account: account, windowSeconds: Self.windowSeconds)) ?? 1
        guard count <= Self.misses else { throw Self.tooMany }
        return promo
    }

    private func look(
        _ typed: String, on price: Int, in market: String, by account: UUID, at now: Date
    ) async throws -> QuotePromo {
        guard let code = KnownPromoCode.normalized(typed),
            let found = try await pool.first(FindPromoCode(market: market, code: code, account: account))
        else { return QuotePromo(code: typed, obstacle: .unknown) }
        return found.code.quoted(on: price, in: market, ownUses: found.ownUses, at: now)
    }

    private static var tooMany: Problem { .tooManyRequests(retryAfterSeconds: Int(windowSeconds)) }
}
