import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Makes a promo code that needs no second admin, or that a second admin has approved.
enum MakePromoCode {
    static let taken = Problem.invalidFields([FieldProblem(JSONPointer.root.appending("code"), "code-taken")])

    /// - Throws: a 422 ``Problem`` when the market already has a code with this name.
    static func make(
        _ code: PromoCode, _ currencies: MarketCurrencies, by admin: UUID, at: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard try await transaction.execute(InsertPromoCode(code: code, by: admin, at: at)) == 1 else { throw taken }
        try transaction.publish(
            WalletManaged(
                market: code.market, act: .promoCodeCreated, subject: code.id, details: PromoCodeForm.details(code),
                by: admin, at: at))
        try await PublishPromoCode.tell(code.id, currencies, at: at, in: transaction)
    }
}
