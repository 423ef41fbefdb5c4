import Contracts
import Foundation
import LiveMarkets
import Postgres
import SeraiJSON
import ServiceKit

/// Checks the proof about the account that has the mobile number of a person named by Nafath (I5). The account's
/// password proves that it is the person's; the code of an SMS proves only the number. The password of an account with
/// a second factor is not enough: its owner logs in with both, and adds Nafath in the settings.
struct LinkNafathPerson: Sendable {
    enum Word: Sendable {
        case password(Redacted<String>)
        case code(Redacted<String>)
    }

    /// A proof that was right at the time of the check.
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

    /// A mail about Nafath at an account that is not sent within a week is dropped.
    static let mailSeconds = ChangePassword.mailSeconds

    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let markets: LiveMarkets
    let checkCredentials: CheckCredentials
    let admit: AdmitNafathPerson
    let confirmAccount: ConfirmAccount
    let deliver: RequestDelivery

    // MARK: The SMS code

    /// Sends the code, with the usual pauses between codes. The caller is not told whether it was sent.
    func sendCode(ticket: Redacted<String>, at now: Date) async throws {
        let hash = try Self.hash(ticket)
        try await pool.withTransaction { transaction in
            guard let found = try await transaction.first(FindNafathTicket(hash: hash, now: now)) else { return }
            let account = try await Accounts.lock(found.account, in: transaction)
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

    // MARK: The proof

    /// Checks the proof. The try counts, even if the request fails afterwards.
    ///
    /// - Throws: ``IdentityError/nafathRefused`` for an unknown ticket, ``IdentityError/wrongCredentials``,
    ///   ``IdentityError/proofRefused``, ``IdentityError/loginDelayed(seconds:)``, ``PasswordHasher/Busy``.
    func check(_ word: Word, ticket: Redacted<String>, at now: Date) async throws -> Checked {
        let hash = try Self.hash(ticket)
        guard let found = try await pool.first(FindNafathTicket(hash: hash, now: now)),
            let market = markets.named(found.market)
        else { throw IdentityError.nafathRefused }
        let json = try cipher.open(found.claims, .nafath, of: found.account)
        let person = try JSON.stored.decode(NafathClaims.self, json.utf8).person()
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

    /// - Parameter language: the language of a new account.
    /// - Returns: the person's account.
    /// - Throws: ``IdentityError/nafathRefused`` and ``IdentityError/wrongCredentials`` when the ticket was used, or
    ///   the password changed, since the check; ``IdentityError/nafathRefused`` also for the password of an account
    ///   with a second factor; ``IdentityError/nationalIDTaken``.
    func callAsFunction(
        _ checked: Checked, language: Account.Language, at now: Date, in transaction: PostgresTransaction
    ) async throws -> UUID {
        let (person, market) = (checked.person, checked.market)
        switch checked.kind {
        case .password(let password):
            // First, because it locks the national id before the account.
            try await admit.link(person, to: checked.account, in: market, at: now, in: transaction)
            guard try await transaction.first(FindOwnPassword(account: checked.account)) == password.hash else {
                throw IdentityError.wrongCredentials
            }
            // Checked while the account is locked: otherwise Nafath would be a lasting way around the second factor.
            guard try await transaction.first(FindSecondFactor(account: checked.account))?.confirmedAt == nil else {
                throw IdentityError.nafathRefused
            }
            try await use(checked.ticket, code: nil, at: now, in: transaction)
            // Nafath proves only the number: an account that is confirmed by mail still waits for the mail.
            let confirms = IsConfirmedByNumber(
                account: checked.account, mobileHash: cipher.hash(person.mobile.text, for: .mobile))
            if try await transaction.first(confirms) == true {
                try await confirmAccount.confirm(checked.account, at: now, in: transaction)
            }
            try await deliver(
                .nafathLinked, to: try await Accounts.lock(checked.account, in: transaction),
                until: now.addingTimeInterval(Self.mailSeconds), at: now, in: transaction)
            return checked.account
        case .code(let hash):
            try await use(checked.ticket, code: hash, at: now, in: transaction)
            return try await admit.takeNumber(
                person, from: checked.account, in: market, language: language, at: now, in: transaction)
        }
    }

    private func use(
        _ ticket: [UInt8], code: [UInt8]?, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard try await transaction.first(UseNafathTicket(hash: ticket, now: now, code: code)) != nil else {
            throw IdentityError.nafathRefused
        }
    }

    private static func hash(_ ticket: Redacted<String>) throws(IdentityError) -> [UInt8] {
        guard let token = RefreshToken(text: ticket.revealed) else { throw .nafathRefused }
        return token.hash
    }
}
