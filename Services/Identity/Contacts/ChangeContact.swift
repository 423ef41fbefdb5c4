import Foundation
import Messaging
import Postgres

/// Changes an account's e-mail address or mobile number after its owner has proved to read the new one (I6). Until then
/// the old one holds. A mail goes to the old address, so a thief of a session cannot make the change in secret.
struct ChangeContact: Sendable {
    /// A mail to the old address that is not sent within a week is dropped.
    static let noticeSeconds: Double = 7 * 86_400

    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let deliver: RequestDelivery
    let takeContact: TakeContact
    let verifyByContact: VerifyByContact

    /// Sends the link or code to the new contact.
    ///
    /// - Parameter checked: the password, checked before the transaction; nil where a fresh login replaces it.
    /// - Throws: ``IdentityError/notThePassword`` when the password has changed since the check;
    ///   ``IdentityError/sentJustNow``.
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
        // The caller is not told here whether another account has the contact. Only a person who proves to read it is
        // told.
        try await deliver(
            isMobile ? .confirmNewMobile(code: secret) : .confirmNewEmail(token: secret), to: account,
            reaching: contact.text, until: end, at: now, in: transaction)
    }

    /// - Throws: ``IdentityError/proofRefused``; ``IdentityError/taken(email:mobile:)`` when another account has proved
    ///   the contact, or when it belonged to a deleted account that is banned where this account has a role.
    func confirm(link: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let use = UseContactProof(proof: try SendProof.hash(link: link), kind: .email, now: now, account: nil)
        try await confirm(use, at: now, in: transaction)
    }

    /// Checks a code. The try counts, even if the request fails afterwards.
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
        // As in a registration, a contact of a deleted and banned account counts as taken.
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
        // Links and codes that were sent to the old contact are void.
        transaction.send(ExpireProofs(account: account.id, now: now))
        if use.kind == .mobile { transaction.send(ForgetNafathCode(account: account.id)) }
        try await verifyByContact(use.kind, of: account, at: now, in: transaction)
        // Without an old address no mail is sent.
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
