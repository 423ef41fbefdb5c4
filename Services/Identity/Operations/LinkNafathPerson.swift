import Contracts
import Foundation
import Postgres
import ServiceKit

/// Takes the owner's word, by password or by the code of an SMS, that the account with the mobile number is the person's
/// whom Nafath has named (I5).
struct LinkNafathPerson: Sendable {
    enum Word: Sendable {
        case password(Redacted<String>)
        case code(Redacted<String>)
    }

    /// A word that was right when it was looked at.
    struct Checked: Sendable {
        enum Kind: Sendable {
            case password(CheckedPassword)
            case code(hash: [UInt8])
        }

        let account: UUID
        let ticket: [UInt8]
        let person: NafathPerson
        let market: Market
        let kind: Kind
    }

    /// The mail about the change is of use for a week.
    static let mailSeconds = ChangePassword.mailSeconds

    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let checkCredentials: CheckCredentials
    let admit: AdmitNafathPerson
    let confirmAccount: ConfirmAccount
    let endSessions: EndSessions
    let deliver: RequestDelivery

    // MARK: The code

    /// Sends the code, not more often than any other. Whether it was sent is not said.
    func sendCode(ticket: Redacted<String>, at now: Date) async throws {
        let hash = try Self.hash(ticket)
        try await pool.withTransaction { transaction in
            guard let found = try await transaction.first(FindNafathTicket(hash: hash, now: now)) else { return }
            let account = try await Accounts.lock(found.account, in: transaction)
            guard NafathTicket.allowsSMS(account),
                try await transaction.first(FindOwnership(account: account.id))?.emailIsProved != true
            else { return }
            let code = SendProof.code()
            let end = now.addingTimeInterval(ProofRule.codeSeconds)
            let stored = try await transaction.first(
                PutNafathCode(
                    ticket: hash, code: cipher.hash(code: code, of: account.id), now: now, expiresAt: end,
                    sentBefore: now.addingTimeInterval(-ProofRule.resendSeconds),
                    dayBefore: now.addingTimeInterval(-ProofRule.daySeconds),
                    maximumSent: ProofRule.maximumSent(.confirm)))
            guard stored != nil else { return }
            try await deliver(.confirmMobile(code: code), to: account, until: end, at: now, in: transaction)
        }
    }

    // MARK: The word

    /// Whether the word is the owner's. A try counts, whatever becomes of the request.
    ///
    /// - Throws: ``IdentityError/nafathRefused`` for a ticket that is none, ``IdentityError/wrongCredentials``,
    ///   ``IdentityError/proofRefused``, ``IdentityError/loginDelayed(seconds:)``, ``PasswordHasher/Busy``.
    func check(_ word: Word, ticket: Redacted<String>, at now: Date) async throws -> Checked {
        let hash = try Self.hash(ticket)
        guard let found = try await pool.first(FindNafathTicket(hash: hash, now: now)),
            let market = Market.named(found.market)
        else { throw IdentityError.nafathRefused }
        let json = try cipher.open(found.claims, .nafath, of: found.account)
        let person = try JSONDecoder().decode(NafathClaims.self, from: Data(json.utf8)).person()
        return Checked(
            account: found.account, ticket: hash, person: person, market: market,
            kind: try await check(word, hash, found.account, at: now))
    }

    private func check(_ word: Word, _ ticket: [UInt8], _ account: UUID, at now: Date) async throws -> Checked.Kind {
        switch word {
        case .password(let password):
            do {
                return .password(try await checkCredentials.again(account, password, at: now))
            } catch IdentityError.wrongPassword {
                throw IdentityError.wrongCredentials
            }
        case .code(let code):
            let hash = cipher.hash(code: code.revealed, of: account)
            let isRight = try await pool.first(
                TryNafathCode(
                    ticket: ticket, code: hash, now: now, maximumFailures: ProofRule.maximumFailures,
                    maximumDayFailures: ProofRule.maximumDayFailures))
            guard isRight == true else { throw IdentityError.proofRefused }
            return .code(hash: hash)
        }
    }

    /// - Throws: ``IdentityError/nafathRefused`` and ``IdentityError/wrongCredentials`` when the ticket was used, or the
    ///   password changed, in between; ``IdentityError/nationalIDTaken``.
    func callAsFunction(_ checked: Checked, at now: Date, in transaction: PostgresTransaction) async throws {
        // First of all, because this locks the national id before the account.
        try await admit.link(checked.person, to: checked.account, in: checked.market, at: now, in: transaction)
        var code: [UInt8]?
        switch checked.kind {
        case .password(let password):
            guard try await transaction.first(FindOwnPassword(account: checked.account)) == password.hash else {
                throw IdentityError.wrongCredentials
            }
        case .code(let hash): code = hash
        }
        let use = UseNafathTicket(hash: checked.ticket, now: now, code: code)
        guard try await transaction.first(use) != nil else { throw IdentityError.nafathRefused }
        if code != nil { try await dropOthersWays(checked.account, at: now, in: transaction) }
        try await confirmAccount.confirm(checked.account, at: now, in: transaction)
    }

    /// Whoever registered with this number may be somebody else: nobody asked for a proof of it then. So whoever has only
    /// shown that the number is his gets the account without a password, a mail address or a session of another.
    private func dropOthersWays(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        guard NafathTicket.allowsSMS(account) else { throw IdentityError.nafathRefused }
        guard let ownership = try await transaction.first(FindOwnership(account: id)) else { return }
        guard !ownership.emailIsProved else { throw IdentityError.nafathRefused }
        if ownership.hasPassword {
            try await deliver(
                .passwordChanged, to: account, until: now.addingTimeInterval(Self.mailSeconds), at: now,
                in: transaction)
        }
        transaction.send(DeletePassword(account: id))
        // Nor with another's second factor, or with a login that waits for it.
        transaction.send(DeleteSecondFactor(account: id))
        transaction.send(DeleteRecoveryCodes(account: id))
        transaction.send(DeleteLoginChallenges(account: id))
        transaction.send(ExpireProofs(account: id, now: now))
        transaction.send(ExpireContactChanges(account: id, now: now))
        transaction.send(RemoveEmail(account: id))
        try await endSessions.all(of: id, cause: .password, at: now, in: transaction)
    }

    private static func hash(_ ticket: Redacted<String>) throws(IdentityError) -> [UInt8] {
        guard let token = RefreshToken(text: ticket.revealed) else { throw .nafathRefused }
        return token.hash
    }
}
