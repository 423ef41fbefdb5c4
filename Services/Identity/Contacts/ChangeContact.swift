import Foundation
import Messaging
import Postgres

/// Gives an account another e-mail address or mobile number, once its owner has shown that he reads it (I6). Until then
/// the old one counts. The old address is told, so that whoever holds a stolen session changes nothing in secret.
struct ChangeContact: Sendable {
    /// The mail to the old address is of use for a week.
    static let noticeSeconds: Double = 7 * 86_400

    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let deliver: RequestDelivery
    let takeContact: TakeContact
    let verifyByContact: VerifyByContact

    /// Sends the link or the code to the new one.
    ///
    /// - Parameter checked: the password as it was checked before the transaction; nil where a fresh login stands for it.
    /// - Throws: ``IdentityError/notThePassword`` when it was changed in between, ``IdentityError/sentJustNow``.
    func ask(
        _ contact: NewContact, of id: UUID, by checked: CheckedPassword?, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        guard try await transaction.first(FindOwnPassword(account: id)) == checked?.hash else {
            throw IdentityError.notThePassword
        }
        let (kind, isMobile) = (contact.kind, contact.kind == .mobile)
        let hash = cipher.hash(contact.normalized, for: isMobile ? .mobile : .email)
        guard try await transaction.first(CountContactTarget(valueHash: hash, now: now)) != nil else {
            throw IdentityError.sentJustNow
        }
        let id = UUID.timeOrdered()
        let secret = isMobile ? SendProof.code() : RefreshToken.generate().text
        let end = now.addingTimeInterval(isMobile ? ProofRule.codeSeconds : ProofRule.registrationSeconds)
        let stored = try await transaction.first(
            PutContactChange(
                id: id, account: account.id, kind: kind, value: try cipher.seal(contact.text, .newContact, of: id),
                valueHash: hash, proof: try proof(secret, kind, of: account.id), now: now, expiresAt: end))
        guard stored != nil else { throw IdentityError.sentJustNow }
        // Whether another account has it is said to whoever shows that he reads it, and to nobody who merely asks.
        try await deliver(
            isMobile ? .confirmNewMobile(code: secret) : .confirmNewEmail(token: secret), to: account,
            reaching: contact.text, until: end, at: now, in: transaction)
    }

    /// - Throws: ``IdentityError/proofRefused``, ``IdentityError/taken(email:mobile:)`` when another account has
    ///   proved it, or somebody had it who is gone and banned where the account has a role.
    func confirm(link: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let use = UseContactProof(proof: try SendProof.hash(link: link), kind: .email, now: now, account: nil)
        try await confirm(use, at: now, in: transaction)
    }

    /// Counts a try, whatever becomes of the request.
    ///
    /// - Throws: ``IdentityError/proofRefused``.
    func check(code: String, of account: UUID, at now: Date) async throws -> UseContactProof {
        let proof = try proof(code, .mobile, of: account)
        guard try await pool.first(TryContactCode(account: account, proof: proof, now: now)) == true else {
            throw IdentityError.proofRefused
        }
        return UseContactProof(proof: proof, kind: .mobile, now: now, account: account)
    }

    func confirm(_ use: UseContactProof, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let proven = try await transaction.first(use) else { throw IdentityError.proofRefused }
        let contact = ContactHash(kind: use.kind, hash: proven.valueHash)
        try await takeContact(contact, for: proven.account, at: now, in: transaction)
        let account = try await Accounts.lock(proven.account, in: transaction)
        // As with a registration: what a banned one had, who is gone, is as if it were taken.
        if try await transaction.first(IsBannedContact(account: account.id, contact: contact, now: now)) == true {
            throw IdentityError.taken(email: use.kind == .email, mobile: use.kind == .mobile)
        }
        let text = try cipher.open(proven.value, .newContact, of: proven.id)
        let old = try await transaction.first(FindContact(account: account.id))
        switch use.kind {
        case .email:
            transaction.send(
                ReplaceEmail(
                    account: account.id, sealed: try cipher.seal(text, .email, of: account.id),
                    hash: proven.valueHash, now: now))
        case .mobile:
            transaction.send(
                ReplaceMobile(
                    account: account.id, sealed: try cipher.seal(text, .mobile, of: account.id),
                    hash: proven.valueHash, now: now))
        }
        // What was sent to the old one proves nothing any more.
        transaction.send(ExpireProofs(account: account.id, now: now))
        if use.kind == .mobile { transaction.send(ForgetNafathCode(account: account.id)) }
        try await verifyByContact(use.kind, of: account, at: now, in: transaction)
        // Without an address there is nobody to tell.
        guard let email = old?.email else { return }
        let address = try cipher.open(email, .email, of: account.id)
        try await deliver(
            use.kind == .email ? .emailChanged : .mobileChanged, to: account, reaching: address,
            until: now.addingTimeInterval(Self.noticeSeconds), at: now, in: transaction)
    }

    private func proof(_ secret: String, _ kind: NewContact.Kind, of account: UUID) throws(IdentityError) -> [UInt8] {
        kind == .email ? try SendProof.hash(link: secret) : cipher.hash(code: "new mobile \(secret)", of: account)
    }
}
