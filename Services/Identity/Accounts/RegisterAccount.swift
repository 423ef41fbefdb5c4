import Contracts
import Foundation
import Messaging
import Postgres

/// Makes an account (I1), at most one for each e-mail address and mobile number (I2). What another account has and nobody
/// proved keeps nobody out who will prove it or something else: it is had by whoever proves it first.
struct RegisterAccount: Sendable {
    let cipher: PersonalDataCipher
    let sendProof: SendProof?
    let confirmation: @Sendable (_ market: String) -> Market.Confirmation
    /// Whether the account counts at once, and a mail's invitation will prove the address.
    var invites = false

    /// For accounts that the operator makes, which need no confirmation.
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

    /// - Parameter passwordHash: computed before the transaction: hashing under a connection would block others. Nil for
    ///   somebody who is invited to set a password.
    /// - Parameter secret: the hash of what whoever registers is handed out to have tries of the code of his own.
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
        try RecordIntake(cipher: cipher)(
            registration.intake, of: account.id, for: registration.role, at: now, in: transaction)
        if let place = registration.place {
            _ = try SavedPlaces(cipher: cipher)
                .insert(place, of: account.id, in: registration.role.market, at: now, transaction)
        }
        if !invites, method != .none, let sendProof {
            // Others are told when it is confirmed: until then it can do nothing, and it may lapse.
            try await sendProof(.confirm, to: account, by: method, own: secret, at: now, in: transaction)
            return account
        }
        if let sendProof {
            try await TellVerified(deliver: sendProof.deliver)(
                account, in: registration.role.market, at: now, in: transaction)
        }
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
        return account
    }

    /// Both are named when both are taken. Registrations of one address or number come one after the other. What
    /// somebody had who is gone and banned there is as taken as before: a stranger who types it reads of no ban.
    private func checkFree(
        _ email: [UInt8], _ mobile: [UInt8], _ method: Market.Confirmation, for market: String, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        for hash in [email, mobile].sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            try await transaction.execute(LockContact(hash: hash))
        }
        let others = try await transaction.query(FindTaken(emailHash: email, mobileHash: mobile))
        // After the accounts: one that goes meanwhile is in one of the two.
        let banned = try await transaction.query(
            FindBannedContacts(emailHash: email, mobileHash: mobile, market: market, now: now))
        // Where nobody will prove anything, who was first has it; and nobody is invited twice.
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
