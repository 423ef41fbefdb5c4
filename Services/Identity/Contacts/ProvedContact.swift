import Contracts
import Foundation
import Postgres

/// Checks that an account has proved the contact by which a market confirms people (I2). One market may confirm by mail
/// and another by SMS, and taking a role in the second requires the same proof as registering there.
enum ProvedContact {
    /// - Throws: ``IdentityError/contactUnproved(_:)``, ``IdentityError/noSuchAccount``.
    static func check(
        _ account: UUID, for confirmation: Market.Confirmation, in transaction: PostgresTransaction
    ) async throws {
        if let kind = try await missing(of: account, for: confirmation, in: transaction) {
            throw IdentityError.contactUnproved(kind)
        }
    }

    /// - Returns: the contact that is not proved yet; nil when the condition is met.
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
