import Contracts
import Foundation
import Messaging
import Postgres

/// An admin's correction of a person's e-mail address or mobile number (I13): of a typing error, or for somebody who
/// called. The new contact is not proved; its owner proves it as any other one. The old contact is told.
struct CorrectContact: Sendable {
    /// A contact that its owner has proved within this time is right, and an admin cannot replace it.
    static let provedSeconds: Double = 30 * 86_400

    let cipher: PersonalDataCipher
    let deliver: RequestDelivery
    let sendProof: SendProof
    let signIn: SignInRule

    /// - Throws: ``IdentityError/noSuchAccount`` for a person without a role in the market,
    ///   ``IdentityError/adminsAccount``, ``IdentityError/ownAccount``, ``IdentityError/otherMarkets`` for a person
    ///   whom other markets know too, ``IdentityError/taken(email:mobile:)`` when another account has proved the
    ///   contact, ``IdentityError/contactProved(_:)``, ``IdentityError/rightsLost``.
    func callAsFunction(
        _ contacts: [NewContact], of id: UUID, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard id != admin else { throw IdentityError.ownAccount }
        let hashes = contacts.map { ContactHash(kind: $0.kind, hash: hash($0)) }
        // Before any account is locked, as everywhere.
        for contact in hashes.sorted(by: { $0.hash.lexicographicallyPrecedes($1.hash) }) {
            try await transaction.execute(LockContact(hash: contact.hash))
        }
        let rights = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        for contact in hashes { try await checkFree(contact, for: id, at: now, in: transaction) }
        let account = try await Accounts.lockConfirmed(id, in: transaction)
        guard account.roles.contains(where: { $0.market == market && !$0.isStaff }) else {
            throw IdentityError.noSuchAccount
        }
        guard !account.isStaff || rights.isMaster else { throw IdentityError.adminsAccount }
        try ManagePeople.checkAlone(account, market, rights)
        let standing = try await transaction.first(FindProvedContacts(account: id, after: now - Self.provedSeconds))
        for contact in contacts where standing?.isProved(contact.kind) == true {
            throw IdentityError.contactProved(contact.kind)
        }
        let old = try await transaction.first(FindContact(account: id))
        for (contact, hash) in zip(contacts, hashes) {
            transaction.send(
                CorrectAccountContact(
                    account: id, contact: hash, sealed: try cipher.seal(contact.text, contact.column, of: id)))
        }
        // Links and codes that were sent to the old contact are void.
        transaction.send(ExpireProofs(account: id, now: now))
        if contacts.contains(where: { $0.kind == .mobile }) { transaction.send(ForgetNafathCode(account: id)) }
        try await tell(contacts, account, old, at: now, in: transaction)
        try await inviteAgain(contacts, account, in: market, at: now, in: transaction)
        try transaction.publish(
            AccountManaged(account: id, market: market, act: .contactCorrected, by: admin, at: now))
    }

    private func hash(_ contact: NewContact) -> [UInt8] {
        cipher.hash(contact.normalized, for: contact.kind == .mobile ? .mobile : .email)
    }

    private func checkFree(
        _ contact: ContactHash, for id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let others = try await transaction.query(LockHolders(account: id, contact: contact))
            .filter { $0.account != id }
        let isBanned =
            try await transaction.first(IsBannedContact(account: id, contact: contact, now: now)) == true
        guard !isBanned, !others.contains(where: \.isProved) else {
            throw IdentityError.taken(email: contact.kind == .email, mobile: contact.kind == .mobile)
        }
    }

    /// Tells the old e-mail address, where there was one.
    private func tell(
        _ contacts: [NewContact], _ account: Account, _ old: FindContact.Row?, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard let email = old?.email else { return }
        let address = try cipher.open(email, .email, of: account.id)
        for contact in contacts {
            try await deliver(
                contact.kind == .email ? .emailChanged : .mobileChanged, to: account, reaching: address,
                until: now.addingTimeInterval(ChangeContact.noticeSeconds), at: now, in: transaction)
        }
    }

    /// A person who was invited and has no password yet gets the invitation at the new address.
    private func inviteAgain(
        _ contacts: [NewContact], _ account: Account, in market: String, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard contacts.contains(where: { $0.kind == .email }), signIn.takesPassword(in: market),
            try await transaction.first(FindOwnPassword(account: account.id)) == nil,
            try await transaction.first(FindNationalID(account: account.id)) == nil
        else { return }
        transaction.send(ForgetProof(account: account.id, purpose: .invitation))
        try await sendProof.invite(account, at: now, in: transaction)
    }
}

extension NewContact {
    /// The column that holds it.
    fileprivate var column: PersonalDataCipher.Field { kind == .email ? .email : .mobile }
}

/// Sets a contact that nobody has proved.
struct CorrectAccountContact: Statement {
    static let sql: SQL = """
        UPDATE accounts SET
            email = CASE WHEN $2 THEN $3 ELSE email END, email_hash = CASE WHEN $2 THEN $4 ELSE email_hash END,
            email_proved_at = CASE WHEN $2 THEN NULL ELSE email_proved_at END,
            mobile = CASE WHEN $2 THEN mobile ELSE $3 END, mobile_hash = CASE WHEN $2 THEN mobile_hash ELSE $4 END,
            mobile_proved_at = CASE WHEN $2 THEN mobile_proved_at END
        WHERE id = $1
        """
    let account: UUID
    let contact: ContactHash
    let sealed: [UInt8]

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, contact.kind == .email, sealed, contact.hash)
    }
}

/// Which contacts an account's owner has proved lately.
struct FindProvedContacts: Statement {
    struct Row: Sendable {
        let email: Bool
        let mobile: Bool

        func isProved(_ kind: NewContact.Kind) -> Bool { kind == .email ? email : mobile }
    }

    static let sql: SQL = """
        SELECT coalesce(email_proved_at > $2, false), coalesce(mobile_proved_at > $2, false) FROM accounts WHERE id = $1
        """
    let account: UUID
    let after: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, after) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(email: try row.next(), mobile: try row.next())
    }
}

/// Forgets a link that was sent, with the pause after it: the next one goes to another address.
struct ForgetProof: Statement {
    static let sql: SQL = "DELETE FROM proofs WHERE account = $1 AND purpose = $2"
    let account: UUID
    let purpose: ProofRule.Purpose
    func bind(_ bindings: inout Bindings) { bindings.append(account, purpose.rawValue) }
}
