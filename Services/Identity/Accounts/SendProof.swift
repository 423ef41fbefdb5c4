import Contracts
import Foundation
import Postgres

/// Sends an account the link or the code that proves that its owner reads it (I2, I3). Not more often than once in some
/// minutes, and after some a day once an hour: another one is then silently not sent.
struct SendProof: Sendable {
    let cipher: PersonalDataCipher
    let deliver: RequestDelivery

    /// - Parameters:
    ///   - method: what the account is confirmed by; a password's link goes by mail always.
    ///   - own: the hash of what whoever registers is handed out.
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

    /// Invites somebody for whom an account was made to set a password (I13).
    func invite(_ account: Account, at now: Date, in transaction: PostgresTransaction) async throws {
        try await self(.invitation, to: account, by: .email, at: now, in: transaction)
    }

    /// - Throws: ``IdentityError/proofRefused`` for what cannot be one.
    static func hash(link: String) throws(IdentityError) -> [UInt8] {
        guard let token = RefreshToken(text: link) else { throw .proofRefused }
        return token.hash
    }

    /// Six random digits.
    static func code() -> String {
        (0..<ProofRule.codeDigits).map { _ in String(Int.random(in: 0...9)) }.joined()
    }
}
