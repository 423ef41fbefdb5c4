import Contracts
import Foundation
import Messaging
import Postgres

/// An owner's changes of an account: profile and roles.
struct ChangeAccount: Sendable {
    /// Not looked at for an admin's rights, which are all that a command or a master admin adds.
    var onboarding: @Sendable (_ market: String) -> Market.Onboarding = { _ in Market.Onboarding() }
    var signIn = SignInRule(hasProvider: false, opened: [])
    /// What a market confirms people by.
    var confirmation: @Sendable (_ market: String) -> Market.Confirmation = { _ in .none }

    /// What the owner writes. Nil leaves a part as it is.
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

    /// Which of its roles the account goes on in, on every device.
    ///
    /// - Throws: ``AccountError/noSuchRole``, also where a ban keeps it from the role; ``IdentityError/noSuchAccount``.
    func activate(
        _ kind: Role.Kind, in market: String, of id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        guard account.roles(at: now).contains(where: { $0.kind == kind && $0.market == market }) else {
            throw AccountError.noSuchRole
        }
        transaction.send(SetActiveRole(account: id, market: market, role: kind))
    }

    /// A market's conditions are looked at with each role in it: another market's confirmation may have proved something
    /// else.
    ///
    /// - Throws: ``AccountError/hasRole(_:)``, ``IdentityError/noSuchAccount``, ``IdentityError/banned(_:)``,
    ///   ``IdentityError/nafathNeeded``, ``IdentityError/contactUnproved(_:)``.
    func add(_ role: Role, to id: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> Account {
        var account = try await Accounts.lockConfirmed(id, in: transaction)
        if let ban = account.ban(in: role.market, at: now) { throw IdentityError.banned(ban) }
        // Whoever was banned there, went, and came back by another market.
        let kept = FindKeptBan(account: id, market: role.market, now: now)
        if let ban = try await transaction.first(kept) { throw IdentityError.banned(ban) }
        if role.kind != .admin, !signIn.takesPassword(in: role.market) {
            // There Nafath knows everybody; what it says of a title it says at the sign-in.
            guard try await transaction.first(FindNationalID(account: id)) != nil else {
                throw IdentityError.nafathNeeded
            }
        }
        if role.kind != .admin {
            try await ProvedContact.check(id, for: confirmation(role.market), in: transaction)
        }
        var role = role
        if role.kind == .provider,
            try await transaction.first(HasLeftMarket(account: id, market: role.market)) == true
        {
            // An admin has taken him out of it: only an admin's word brings him back.
            role.state = .waiting
        }
        try account.add(role)
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutRole(account: id, role: account.role(role.kind, in: role.market) ?? role, now: now))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        return account
    }
}
