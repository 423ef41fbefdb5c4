import Contracts
import Foundation
import Postgres

/// Sends an account the link or code that proves its address or number (I2, I3). Within the pause after the previous
/// one, and after the day's limit within an hour, nothing is sent and no error is thrown.
struct SendProof: Sendable {
    let cipher: PersonalDataCipher
    let deliver: RequestDelivery

    /// - Parameters:
    ///   - method: the proof that confirms the account; the link for a password goes by mail, or by SMS
    ///     where the number alone is proved.
    ///   - own: the hash of the secret in the registration's answer.
    func callAsFunction(
        _ purpose: ProofRule.Purpose, to account: Account, by method: Market.Confirmation, own: [UInt8]? = nil,
        at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let bySMS = purpose == .confirm && method == .sms
        let secret = bySMS ? Self.code() : RefreshToken.generate().text
        let end = now.addingTimeInterval(ProofRule.lifetime(purpose, bySMS: bySMS))
        let stored = try await transaction.first(
            PutProof(
                account: account.id, purpose: purpose,
                hash: bySMS ? cipher.hash(code: secret, of: account.id) : try Self.hash(link: secret), now: now,
                expiresAt: end, secret: own))
        guard stored != nil else { return }
        let text: RequestDelivery.Text =
            switch (purpose, bySMS) {
            case (.confirm, true): .confirmMobile(code: secret)
            case (.confirm, false): .confirmEmail(token: secret)
            case (.password, _): .resetPassword(token: secret)
            case (.invitation, _): .invitation(token: secret)
            }
        try await deliver(text, to: account, until: end, at: now, in: transaction)
    }

    /// Invites the owner of an account that an admin made to set a password (I13).
    func invite(_ account: Account, at now: Date, in transaction: PostgresTransaction) async throws {
        try await self(.invitation, to: account, by: .email, at: now, in: transaction)
    }

    /// - Throws: ``IdentityError/proofRefused`` for a text that is not a token.
    static func hash(link: String) throws(IdentityError) -> [UInt8] {
        guard let token = RefreshToken(text: link) else { throw .proofRefused }
        return token.hash
    }

    /// Six random digits.
    static func code() -> String {
        (0..<ProofRule.codeDigits).map { _ in String(Int.random(in: 0...9)) }.joined()
    }
}
