import Contracts
import Foundation
import Postgres

/// Whether an account has proved what a market confirms people by (I2): of two markets one may take a mail's link and the
/// other the code of an SMS, and a role in the second is no less than a registration there.
enum ProvedContact {
    /// - Throws: ``IdentityError/contactUnproved(_:)``, ``IdentityError/noSuchAccount``.
    static func check(
        _ account: UUID, for confirmation: Market.Confirmation, in transaction: PostgresTransaction
    ) async throws {
        guard confirmation != .none else { return }
        guard let contact = try await transaction.first(FindContact(account: account)) else {
            throw IdentityError.noSuchAccount
        }
        switch confirmation {
        case .none: break
        case .email: if !contact.emailIsProved { throw IdentityError.contactUnproved(.email) }
        case .sms: if !contact.mobileIsProved { throw IdentityError.contactUnproved(.mobile) }
        }
    }
}
