import Contracts
import Foundation
import Messaging
import Postgres

/// Makes an account (I1), at most one for each e-mail address and mobile number (I2).
struct RegisterAccount: Sendable {
    let cipher: PersonalDataCipher
    let sendProof: SendProof?
    let confirmation: @Sendable (_ market: String) -> Market.Confirmation

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
    /// - Throws: ``IdentityError/taken(email:mobile:)``.
    func callAsFunction(
        _ registration: Registration, passwordHash: String?, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Account {
        let account = Account(
            id: .timeOrdered(), name: registration.name, gender: registration.gender, language: registration.language,
            role: registration.role)
        let emailHash = cipher.hash(registration.email.normalized, for: .email)
        let mobileHash = cipher.hash(registration.mobile.text, for: .mobile)
        // Looked up first, so that both are named when both are taken.
        let taken = try await transaction.query(FindTaken(emailHash: emailHash, mobileHash: mobileHash))
        guard taken.isEmpty else {
            throw IdentityError.taken(email: taken.contains(where: \.email), mobile: taken.contains(where: \.mobile))
        }
        let method = confirmation(registration.role.market)
        let insert = InsertAccount(
            account: account, email: try cipher.seal(registration.email.text, .email, of: account.id),
            emailHash: emailHash, mobile: try cipher.seal(registration.mobile.text, .mobile, of: account.id),
            mobileHash: mobileHash, confirmation: method, now: now)
        do {
            try await transaction.execute(insert)
        } catch {
            throw Self.fault(error)
        }
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
        if method != .none, let sendProof {
            // Others are told when it is confirmed: until then it can do nothing, and it may lapse.
            try await sendProof(.confirm, to: account, by: method, at: now, in: transaction)
            return account
        }
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
        return account
    }

    /// Another registration may have committed since the look.
    private static func fault(_ error: PostgresError) -> any Error {
        guard error.sqlState == .uniqueViolation else { return error }
        return IdentityError.taken(
            email: error.constraint == "accounts_email_hash", mobile: error.constraint == "accounts_mobile_hash")
    }
}
