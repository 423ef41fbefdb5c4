import Foundation
import Postgres
import ServiceKit

/// Computes a promo code's discount for a quote from the projection of the wallet's codes. It does not reserve a use:
/// the wallet takes the use under the code's lock when the order is paid.
struct PreviewPromoCode: Sendable {
    /// The number of unknown codes per account in ``windowSeconds``; prevents guessing.
    static let misses = 20
    static let windowSeconds = 600.0

    let pool: PostgresPool

    /// - Parameter price: in minor units, before any discount.
    /// - Throws: a 429 ``Problem`` after too many unknown codes.
    func callAsFunction(
        _ typed: String, on price: Int, in market: String, by account: UUID, at now: Date
    ) async throws -> QuotePromo {
        let misses = try await pool.first(ReadPromoMisses(account: account, windowSeconds: Self.windowSeconds)) ?? 0
        guard misses < Self.misses else { throw Self.tooMany }
        let promo = try await look(typed, on: price, in: market, by: account, at: now)
        guard promo.obstacle == .unknown || promo.obstacle == .otherMarket else { return promo }
        // Concurrent requests pass the check above together; the count limits the answers that they get.
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
