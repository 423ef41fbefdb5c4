import Contracts
import Foundation
import Messaging
import Postgres

/// Opens a session for an account whose credentials are right.
struct StartSession: Sendable {
    /// A mail about a new device that is not sent within a day is dropped.
    static let mailSeconds: Double = 86_400

    let tokens: AccessTokens
    let endSessions: EndSessions
    let deliver: RequestDelivery
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding

    /// - Parameters:
    ///   - password: the password that was checked before the transaction; nil when something else proves the owner.
    ///   - isStrong: whether more than a password or an SMS code proves the owner.
    /// - Throws: ``IdentityError/wrongCredentials`` when the account was deleted or the password changed since the
    ///   check; the errors of ``open(for:isStrong:on:at:in:)``.
    func callAsFunction(
        for id: UUID, password: CheckedPassword?, isStrong: Bool = false, on device: Device, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> SessionGrant {
        guard let account = try await Accounts.lockIfFound(id, in: transaction) else {
            throw IdentityError.wrongCredentials
        }
        if let password, try await transaction.first(FindOwnPassword(account: id)) != password.hash {
            throw IdentityError.wrongCredentials
        }
        return try await open(for: account, isStrong: isStrong, on: device, at: now, in: transaction)
    }

    /// Opens a session. The caller has locked the account's row: an operation that ends all its sessions either ends
    /// this one too, or comes first and is visible here. A mail tells of a new device that is not the account's first.
    ///
    /// - Throws: ``IdentityError/banned(_:)``, ``IdentityError/notConfirmed(by:)``.
    func open(
        for account: Account, isStrong: Bool, on device: Device, at now: Date, in transaction: PostgresTransaction
    ) async throws -> SessionGrant {
        let id = account.id
        let (standings, devices, accepted, given) = try await transaction.queryAll(
            FindStanding(account: id), PutDevice(account: id, hash: device.hash(of: id), now: now),
            ListAcceptedTerms(account: id), FindGivenData(account: id))
        if let ban = account.banEverywhere(at: now) { throw IdentityError.banned(ban) }
        let standing = standings.first
        guard standing?.isConfirmed == true else {
            throw IdentityError.notConfirmed(by: standing?.confirmsBy ?? "")
        }
        try await endSessions.surplus(of: id, at: now, in: transaction)
        transaction.send(DeleteInactivity(account: id))
        transaction.send(RecordLogin(account: id, now: now))
        if devices.first == true {
            transaction.send(DeleteSurplusDevices(account: id, kept: Device.maximum))
            try await deliver(
                .newDevice(device.name?.text, at: now), to: account, until: now.addingTimeInterval(Self.mailSeconds),
                at: now, in: transaction)
        }
        let session = UUID.timeOrdered()
        let token = RefreshToken.generate()
        transaction.send(
            InsertSession(
                session: session, account: id, device: device.name?.text, createdAt: now,
                expiresAt: SessionRule.expiry(createdAt: now, now: now), isStrong: isStrong))
        transaction.send(InsertRefreshToken(hash: token.hash, session: session, number: 1))
        let asked = AskedTerms.of(account, accepted: accepted, onboarding)
        return SessionGrant(
            account: account,
            accessToken: try await tokens.issue(
                to: account, session: session, isStrong: isStrong, terms: AskedTerms.enforced(asked, onboarding),
                at: now),
            expiresInSeconds: tokens.lifetimeSeconds, refreshToken: token.text,
            passwordIsOld: standing?.passwordChangedAt.map {
                now.timeIntervalSince($0) > ProofRule.passwordAgeSeconds
            } ?? false, needsMobile: standing?.lacksMobile == true,
            needsSecondFactor: !tokens.givesRights(to: account, isStrong: isStrong),
            termsAsked: asked,
            dataAsked: given.first.map { AskedData.of(account, $0, onboarding) } ?? [])
    }
}
