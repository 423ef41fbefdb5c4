import Contracts
import Foundation
import Messaging
import Postgres

/// Publishes how a promo code stands when that has changed. The published state is only for quotes: uses are counted
/// under the code's row lock alone.
enum PublishPromoCode {
    /// Locks the code's row until the commit when there is a change.
    static func tell(
        _ code: UUID, _ currencies: MarketCurrencies, at: Date, in transaction: PostgresTransaction
    ) async throws {
        let note = NotePromoCode(code: code, currencies: currencies)
        guard let news = try await transaction.first(note) else { return }
        try transaction.publish(news.event(at: at))
    }

    /// Publishes again how codes stand: a batch after an id, ordered by id, for readers that were not there.
    ///
    /// - Returns: the ids of the published codes.
    static func again(after: UUID?, limit: Int, at: Date, in transaction: PostgresTransaction) async throws -> [UUID] {
        let codes = try await transaction.query(LockPublishedPromoCodes(after: after, limit: limit))
        for told in codes { try transaction.publish(told.event(at: at)) }
        return codes.map(\.counted.code.id)
    }
}

extension PublishedPromoCode {
    func event(at: Date) -> PromoCodeChanged {
        let code = counted.code
        var event = PromoCodeChanged(
            promoCode: code.id, version: version, market: code.market, code: code.code, startsAt: code.startsAt,
            endsAt: code.endsAt, endedAt: code.endedAt, minimumPrice: code.minimumPrice,
            limitPerAccount: code.limitPerAccount, isUsedUp: isUsedUp, at: at)
        switch code.benefit {
        case .percent(let basisPoints, let maximum): (event.basisPoints, event.maximum) = (basisPoints, maximum)
        case .amount(let amount): event.amount = amount
        }
        return event
    }
}
