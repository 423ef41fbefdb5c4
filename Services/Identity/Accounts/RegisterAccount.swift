import Contracts
import Foundation
import Messaging
import Postgres

/// Creates an account (I1), at most one for each e-mail address and mobile number (I2). A contact that another account
/// has without proof does not block a registration that will be confirmed: the contact belongs to the first account
/// that proves it.
struct RegisterAccount: Sendable {
    let cipher: PersonalDataCipher
    let sendProof: SendProof?
    let confirmation: @Sendable (_ market: String) -> Market.Confirmation
    /// Whether the account is confirmed at once, because the link of the invitation will prove its address.
    var invites = false

    /// For accounts that the operator creates. They need no confirmation.
    init(cipher: PersonalDataCipher) {
        self.cipher = cipher
        sendProof = nil
        confirmation = { _ in .none }
    }

    init(
        cipher: PersonalDataCipher, sendProof: SendProof,
        confirmation: @escaping @Sendable (_ market: String) -> Market.Confirmation
    ) {
        self.cipher = cipher
        self.sendProof = sendProof
        self.confirmation = confirmation
    }

    /// - Parameter passwordHash: computed before the transaction, because hashing while holding a connection would
    ///   block other requests. Nil for a person who is invited to set a password.
    /// - Parameter secret: the hash of the secret in the registration's answer, which gives its holder tries of the
    ///   code.
    /// - Throws: ``IdentityError/taken(email:mobile:)``.
    func callAsFunction(
        _ registration: Registration, passwordHash: String?, secret: [UInt8]? = nil, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Account {
        let account = Account(
            id: .timeOrdered(), name: registration.name, gender: registration.gender, language: registration.language,
            role: registration.role)
        let emailHash = cipher.hash(registration.email.normalized, for: .email)
        let mobileHash = cipher.hash(registration.mobile.text, for: .mobile)
        let method = invites ? .email : confirmation(registration.role.market)
        try await checkFree(emailHash, mobileHash, method, for: registration.role.market, at: now, in: transaction)
        let insert = InsertAccount(
            account: account, email: try cipher.seal(registration.email.text, .email, of: account.id),
            emailHash: emailHash, mobile: try cipher.seal(registration.mobile.text, .mobile, of: account.id),
            mobileHash: mobileHash, confirmation: method, isConfirmed: invites, now: now)
        try await transaction.execute(insert)
        if let passwordHash {
            transaction.send(InsertPassword(account: account.id, hash: passwordHash, now: now))
        }
        for role in account.roles { transaction.send(PutRole(account: account.id, role: role, now: now)) }
        try await RecordIntake(cipher: cipher)(
            registration.intake, of: account.id, for: registration.role, at: now, in: transaction)
        if let place = registration.place {
            _ = try SavedPlaces(cipher: cipher)
                .insert(place, of: account.id, in: registration.role.market, at: now, transaction)
        }
        FamilyWishes.keep(registration.family, of: account.id, in: registration.role.market, cipher, transaction)
        if !invites, method != .none, let sendProof {
            // Other services are told at the confirmation: an unconfirmed account can do nothing, and it may lapse.
            try await sendProof(.confirm, to: account, by: method, own: secret, at: now, in: transaction)
            return account
        }
        if let sendProof {
            try await NotifyVerified(deliver: sendProof.deliver)(
                account, in: registration.role.market, at: now, in: transaction)
        }
        if !registration.family.isEmpty { FamilyWishes.ask(of: account.id, at: now, in: transaction) }
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
        return account
    }

    /// Checks that address and number are free; names both when both are taken. Registrations with the same address or
    /// number run one after the other. A contact of a deleted account that is banned in the market counts as taken, so
    /// a stranger who types it learns nothing of the ban.
    private func checkFree(
        _ email: [UInt8], _ mobile: [UInt8], _ method: Market.Confirmation, for market: String, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        for hash in [email, mobile].sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            try await transaction.execute(LockContact(hash: hash))
        }
        let others = try await transaction.query(FindTaken(emailHash: email, mobileHash: mobile))
        // Read after the accounts: an account that is deleted in the meantime is found in one of the two.
        let banned = try await transaction.query(
            FindBannedContacts(emailHash: email, mobileHash: mobile, market: market, now: now))
        // Where nothing will be proved, the first account keeps the contact. An invited address is not invited twice.
        let isEmailTaken =
            banned.contains("email")
            || others.contains { $0.email && ($0.holdsEmail || method == .none || invites && $0.isInvited) }
        let isMobileTaken =
            banned.contains("mobile") || others.contains { $0.mobile && ($0.holdsMobile || method == .none) }
        guard !isEmailTaken, !isMobileTaken else {
            throw IdentityError.taken(email: isEmailTaken, mobile: isMobileTaken)
        }
    }
}
