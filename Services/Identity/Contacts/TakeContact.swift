import Contracts
import Foundation
import Messaging
import Postgres

/// An e-mail address or a mobile number that somebody has proved is his alone (I2): accounts that merely wrote it down lose
/// it, and are told. An account itself is nobody's by this.
struct TakeContact: Sendable {
    /// What tells of it is of use for a week.
    static let noticeSeconds: Double = 7 * 86_400

    let deliver: RequestDelivery

    /// Takes it from all but one account, which is locked, and whose own to have it is then. Nothing but rows that two proofs
    /// never wait for crosswise is locked before.
    ///
    /// - Parameters:
    ///   - account: need not be there yet.
    ///   - evenProved: where the word is newer and stronger than the one that proved it before.
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
            // What was sent to it proves nothing of that account.
            transaction.send(ExpireProofs(account: other.account, now: now))
            guard other.isConfirmed, let account = try await Accounts.find(other.account, in: transaction) else {
                continue
            }
            try await deliver(
                contact.kind == .email ? .emailTaken : .mobileTaken, to: account,
                until: now.addingTimeInterval(Self.noticeSeconds), at: now, in: transaction)
        }
    }

    /// Somebody has shown that he reads an account's own e-mail or SMS.
    ///
    /// - Throws: ``IdentityError/proofRefused`` when the account has another one by now;
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
