import Foundation
import Messaging
import Postgres
import ServiceKit

/// Handles a right password: opens a session, or asks for the second factor.
struct LogIn: Sendable {
    enum Outcome: Sendable {
        case session(SessionGrant)
        case challenge(LoginChallenge)
    }

    let pool: PostgresPool
    let signIn: SignInRule
    let startSession: StartSession
    let secondFactor: SecondFactor

    /// - Throws: ``IdentityError/nafathNeeded`` for an account without a role in a market with passwords; the errors of
    ///   ``StartSession``.
    func callAsFunction(
        _ checked: CheckedPassword, on device: Device, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Outcome {
        guard let account = try await Accounts.lockIfFound(checked.account, in: transaction) else {
            throw IdentityError.wrongCredentials
        }
        let (hashes, factors) = try await transaction.queryAll(
            FindOwnPassword(account: account.id), FindSecondFactor(account: account.id))
        guard hashes.first == checked.hash else { throw IdentityError.wrongCredentials }
        guard signIn.takesPassword(of: account) else { throw IdentityError.nafathNeeded }
        guard factors.first?.confirmedAt != nil else {
            return .session(
                try await startSession.open(for: account, isStrong: false, on: device, at: now, in: transaction))
        }
        let token = RefreshToken.generate()
        let end = now.addingTimeInterval(SecondFactorRule.challengeSeconds)
        try await transaction.execute(
            InsertLoginChallenge(hash: token.hash, account: account.id, now: now, expiresAt: end))
        transaction.send(DeleteSurplusChallenges(account: account.id, kept: SecondFactorRule.maximumChallenges))
        return .challenge(LoginChallenge(text: token.text, expiresAt: end))
    }

    /// A second factor that was right at the time of the check.
    struct Checked: Sendable {
        let account: UUID
        let challenge: [UInt8]
        let proof: SecondFactor.Proof
    }

    /// Checks the second factor. The try counts, even if the request fails afterwards.
    ///
    /// - Throws: ``IdentityError/proofRefused``, also for an unknown challenge;
    ///   ``IdentityError/loginDelayed(seconds:)``.
    func check(_ code: String, challenge: Redacted<String>, at now: Date) async throws -> Checked {
        guard let token = RefreshToken(text: challenge.revealed),
            let account = try await pool.first(
                TryLoginChallenge(hash: token.hash, now: now, maximumTries: SecondFactorRule.maximumTries))
        else { throw IdentityError.proofRefused }
        return Checked(
            account: account, challenge: token.hash,
            proof: try await secondFactor.check(code, of: account, at: now))
    }

    /// - Throws: ``IdentityError/proofRefused`` when challenge or code were used, or the password changed, since the
    ///   check; the errors of ``StartSession``.
    func callAsFunction(
        _ checked: Checked, on device: Device, at now: Date, in transaction: PostgresTransaction
    ) async throws -> SessionGrant {
        guard let account = try await Accounts.lockIfFound(checked.account, in: transaction),
            try await transaction.execute(UseLoginChallenge(hash: checked.challenge, now: now)) == 1
        else { throw IdentityError.proofRefused }
        try await secondFactor.use(checked.proof, of: account, at: now, in: transaction)
        return try await startSession.open(for: account, isStrong: true, on: device, at: now, in: transaction)
    }
}

/// The challenge to be shown in the second step of a login.
struct LoginChallenge: Sendable {
    let text: String
    let expiresAt: Date
}
