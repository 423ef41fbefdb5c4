import Contracts
import Foundation
import Messaging
import Postgres

/// Gives a proved e-mail address or mobile number to one account alone (I2): other accounts that have it unproved lose
/// it and are told. They keep everything else.
struct TakeContact: Sendable {
    /// A message about the loss that is not sent within a week is dropped.
    static let noticeSeconds: Double = 7 * 86_400

    let deliver: RequestDelivery

    /// Removes a contact from all accounts except one, and locks that account; the caller then stores the contact
    /// there. The contact's advisory lock and the accounts' row locks are taken in one order, so two proofs cannot
    /// deadlock: no account may be locked before.
    ///
    /// - Parameters:
    ///   - account: the account that will have the contact; it need not exist yet.
    ///   - evenProved: takes the contact also from an account that has proved it, for a newer and stronger proof.
    /// - Throws: ``IdentityError/taken(email:mobile:)`` when another account has proved it.
    func callAsFunction(
        _ contact: ContactHash, for account: UUID, evenProved: Bool = false, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(LockContact(hash: contact.hash))
        let others = try await transaction.query(LockHolders(account: account, contact: contact))
            .filter { $0.account != account }
        guard evenProved || !others.contains(where: \.isProved) else {
            throw IdentityError.taken(email: contact.kind == .email, mobile: contact.kind == .mobile)
        }
        for other in others {
            switch contact.kind {
            case .email: transaction.send(RemoveEmail(account: other.account))
            case .mobile:
                transaction.send(RemoveMobile(account: other.account))
                transaction.send(ForgetNafathCode(account: other.account))
            }
            // Links and codes that were sent to the contact are void for that account.
            transaction.send(ExpireProofs(account: other.account, now: now))
            guard other.isConfirmed, let account = try await Accounts.find(other.account, in: transaction) else {
                continue
            }
            try await deliver(
                contact.kind == .email ? .emailTaken : .mobileTaken, to: account,
                until: now.addingTimeInterval(Self.noticeSeconds), at: now, in: transaction)
        }
        try await FamilyWishes.wake(contact, of: account, at: now, in: transaction)
    }

    /// Records that the owner has proved the account's own e-mail address or mobile number.
    ///
    /// - Throws: ``IdentityError/proofRefused`` when the account has another contact now;
    ///   ``IdentityError/taken(email:mobile:)``.
    func prove(
        _ kind: NewContact.Kind, of account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let contact = try await transaction.first(FindContactHashes(account: account))?.contact(kind) else {
            throw IdentityError.proofRefused
        }
        try await self(contact, for: account, at: now, in: transaction)
        guard try await transaction.execute(ProveContact(account: account, contact: contact, now: now)) == 1 else {
            throw IdentityError.proofRefused
        }
    }
}
