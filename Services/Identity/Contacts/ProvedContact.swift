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
        if let kind = try await missing(of: account, for: confirmation, in: transaction) {
            throw IdentityError.contactUnproved(kind)
        }
    }

    /// - Returns: what is still to be proved; nil when nothing is.
    /// - Throws: ``IdentityError/noSuchAccount``.
    static func missing(
        of account: UUID, for confirmation: Market.Confirmation, in transaction: PostgresTransaction
    ) async throws -> NewContact.Kind? {
        guard confirmation != .none else { return nil }
        guard let contact = try await transaction.first(FindContact(account: account)) else {
            throw IdentityError.noSuchAccount
        }
        switch confirmation {
        case .none: return nil
        case .email: return contact.emailIsProved ? nil : .email
        case .sms: return contact.mobileIsProved ? nil : .mobile
        }
    }
}
