import Contracts
import Foundation
import Messaging
import Postgres

/// Changes of profile, active role and roles that the owner of an account asks for.
struct ChangeAccount: Sendable {
    /// The default is enough for commands and master admins: they add admin rights only, for which it is not read.
    var onboarding: @Sendable (_ market: String) -> Market.Onboarding = { _ in Market.Onboarding() }
    var signIn = SignInRule(hasNafath: false, opened: [])
    /// The proof by which a market confirms people.
    var confirmation: @Sendable (_ market: String) -> Market.Confirmation = { _ in .none }

    /// The owner's new values. Nil leaves a part as it is.
    struct Profile: Sendable {
        var name: PersonName?
        var gender: Account.Gender?
        var language: Account.Language?
        var mail: Bool?
        var sms: Bool?
        var push: Bool?

        fileprivate func choices(_ old: NoticeChoices) -> NoticeChoices {
            NoticeChoices(mail: mail ?? old.mail, sms: sms ?? old.sms, push: push ?? old.push)
        }
    }

    /// - Throws: ``IdentityError/noSuchAccount``.
    func profile(
        of id: UUID, _ profile: Profile, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Account {
        var account = try await Accounts.lock(id, in: transaction)
        let verified = Set(account.roles.filter { $0.state == .verified }.map(\.market))
        let isChanged = account.change(
            name: profile.name, gender: profile.gender, language: profile.language,
            choices: profile.choices(account.choices),
            needsCheck: { onboarding($0).providerCheck != .confirmation })
        guard isChanged else { return account }
        transaction.send(UpdateAccount(account: account))
        for role in account.roles where role.state == .waiting && verified.contains(role.market) {
            transaction.send(PutRole(account: id, role: role, now: now))
        }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        return account
    }

    /// Sets the role that the owner's apps show, on every device.
    ///
    /// - Throws: ``AccountError/noSuchRole``, also for a role that a ban blocks; ``IdentityError/noSuchAccount``.
    func activate(
        _ kind: Role.Kind, title: String?, in market: String, of id: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        let isOwn = account.roles(at: now).contains {
            $0.kind == kind && $0.market == market && (title == nil || $0.title == title)
        }
        guard isOwn else { throw AccountError.noSuchRole }
        transaction.send(SetActiveRole(account: id, market: market, role: kind, title: title))
    }

    /// Adds a role. The market's conditions are checked with each role, because the confirmation of another market may
    /// have proved another contact.
    ///
    /// - Throws: ``AccountError/hasRole(_:)``, ``IdentityError/noSuchAccount``, ``IdentityError/banned(_:)``,
    ///   ``IdentityError/nafathNeeded``, ``IdentityError/marketClosed``, ``IdentityError/contactUnproved(_:)``.
    func add(_ role: Role, to id: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> Account {
        var account = try await Accounts.lockConfirmed(id, in: transaction)
        if let ban = account.ban(in: role.market, at: now) { throw IdentityError.banned(ban) }
        // A person may have been banned here, deleted the account, and registered again in another market.
        let kept = FindKeptBan(account: id, market: role.market, now: now)
        if let ban = try await transaction.first(kept) { throw IdentityError.banned(ban) }
        if !role.isStaff, !signIn.takesPassword(in: role.market) {
            // In this market Nafath identifies everybody. Its statement about a job title is read at sign-in.
            guard try await transaction.first(FindNationalID(account: id)) != nil else {
                throw signIn.refusal
            }
        }
        if !role.isStaff {
            try await ProvedContact.check(id, for: confirmation(role.market), in: transaction)
        }
        var role = role
        if role.kind == .provider,
            try await transaction.first(HasLeftMarket(account: id, market: role.market)) == true
        {
            // An admin removed this provider from the market, so only an admin's decision verifies the provider again.
            role.state = .waiting
        }
        try account.add(role)
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutRole(account: id, role: account.role(like: role) ?? role, now: now))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        return account
    }
}
