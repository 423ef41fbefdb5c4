import Contracts
import Foundation
import Messaging
import Postgres

/// An admin's creation, change and removal of the providers and customers of a market (I13). Admins themselves are
/// managed by master admins only (``ChangeAdmin``).
struct ManagePeople: Sendable {
    let cipher: PersonalDataCipher
    let signIn: SignInRule
    let documents: ProviderDocuments
    let deliver: RequestDelivery
    let sendProof: SendProof
    let endSessions: EndSessions
    let askDeletion: AskDeletion
    let secondFactor: SecondFactor
    let readProfile: ReadProfile
    /// The proof by which a market confirms people.
    let confirmation: @Sendable (_ market: String) -> Market.Confirmation

    /// Creates an account without a password. A mail invites its owner to set one, or to sign in with Nafath where the
    /// market uses it. A provider is verified at once where the market asks for no papers, else after bringing them.
    /// Where an SMS confirms people, the provider waits until the number is proved (``VerifyByContact``).
    ///
    /// - Throws: ``IdentityError/taken(email:mobile:)``, ``IdentityError/marketClosed``,
    ///   ``IdentityError/rightsLost``.
    func create(
        _ registration: Registration, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Account {
        let market = registration.role.market
        _ = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        guard signIn.isOpen(market) else { throw IdentityError.marketClosed }
        var register = RegisterAccount(cipher: cipher)
        register.invites = true
        var registration = registration
        // The invitation is a mail, so it proves no number.
        if confirmation(market) == .sms, registration.role.isVerifiedProvider { registration.role.state = .waiting }
        let account = try await register(registration, passwordHash: nil, at: now, in: transaction)
        if let role = account.role(.provider, in: market), role.isVerified {
            transaction.send(DecideRole(account: account.id, role: role, admin: admin, now: now))
            try await NotifyVerified(deliver: deliver)(account, in: market, at: now, in: transaction)
        }
        try await invite(account, in: market, at: now, in: transaction)
        try tell(.created, account.id, market, by: admin, at: now, in: transaction)
        return account
    }

    /// Gives another role to a person whom the market knows: a person with a role there, or whom an admin has removed
    /// from it. A person of other markets only has to accept an offer first (``OfferRole``), or becomes a customer
    /// without an admin. A provider is verified at once where the market asks for nothing, else after bringing it. A
    /// mail tells the person.
    ///
    /// - Parameters:
    ///   - taken: the role, before ``RoleRules/given(_:)``.
    ///   - bring: what the person brings who accepts an offer, checked; then the market need not know the person. Nil
    ///     where an admin gives the role without asking.
    /// - Throws: ``AccountError/hasRole(_:)``, ``IdentityError/noSuchAccount``, ``IdentityError/adminsAccount``,
    ///   ``IdentityError/ownAccount``, ``IdentityError/personBanned``, ``IdentityError/nafathNeeded``,
    ///   ``IdentityError/contactUnproved(_:)``, ``IdentityError/rightsLost``, ``AgeFault`` for a known date of birth that
    ///   the role's age limits refuse; errors of `bring`.
    func give(
        _ taken: Role, to id: UUID, by admin: UUID, rules: RoleRules, at now: Date,
        in transaction: PostgresTransaction, bring: ((Role, Profile) throws -> BroughtWithRole)? = nil
    ) async throws -> Account {
        var role = rules.given(taken)
        let market = role.market
        let isAsked = bring != nil
        guard id != admin else { throw IdentityError.ownAccount }
        let rights = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        var account = try await Accounts.lockConfirmed(id, in: transaction)
        let hasLeft = try await transaction.first(HasLeftMarket(account: id, market: market)) == true
        guard isAsked || hasLeft || account.roles.contains(where: { $0.market == market && !$0.isStaff }) else {
            throw IdentityError.noSuchAccount
        }
        guard !account.isStaff || rights.isMaster else { throw IdentityError.adminsAccount }
        guard account.ban(in: market, at: now) == nil,
            try await transaction.first(FindKeptBan(account: id, market: market, now: now)) == nil
        else { throw IdentityError.personBanned }
        // Where Nafath identifies everybody, a password of another market gives no role.
        if isAsked, !signIn.takesPassword(in: market),
            try await transaction.first(FindNationalID(account: id)) == nil
        {
            throw signIn.refusal
        }
        // A person of other markets must have proved the contact by which this market confirms people. For a person
        // whom the market knows, the admin's decision is enough.
        if isAsked { try await ProvedContact.check(id, for: confirmation(market), in: transaction) }
        // A rejected role counts as existing: the rejection has to be reversed instead.
        if let old = account.role(like: role) { throw AccountError.hasRole(old.state) }
        guard let profile = try await readProfile.read(id, at: now, in: transaction) else {
            throw IdentityError.noSuchAccount
        }
        let brought = try bring?(role, profile)
        if let brought { role = brought.intake.told(in: role) } else { try rules.checkAge(of: profile, for: role) }
        if role.isVerifiedProvider,
            try await ProvedContact.missing(of: id, for: confirmation(market), in: transaction) != nil
        {
            role.state = .waiting
        }
        try account.add(role)
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutRole(account: id, role: role, now: now))
        if let brought { try await record(brought, of: id, for: role, at: now, in: transaction) }
        if role.kind == .provider, role.isVerified {
            transaction.send(DecideRole(account: id, role: role, admin: admin, now: now))
            transaction.send(DeleteLeftMarket(account: id, market: market))
            try await NotifyVerified(deliver: deliver)(
                account, in: market, title: role.title, at: now, in: transaction)
        } else {
            try await deliver(
                .roleGiven(market: Market.named(market)?.name ?? ["en": market]), to: account,
                until: now.addingTimeInterval(DecideProvider.mailSeconds), at: now, in: transaction)
        }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        try tell(.roleGiven, id, market, by: admin, at: now, in: transaction)
        return account
    }

    private func record(
        _ brought: BroughtWithRole, of id: UUID, for role: Role, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        try await RecordIntake(cipher: cipher)(brought.intake, of: id, for: role, at: now, in: transaction)
        guard let place = brought.place else { return }
        _ = try await SavedPlaces(cipher: cipher).add(place, to: id, in: role.market, at: now, in: transaction)
    }

    /// Sends the invitation again.
    func invite(
        _ id: UUID, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let account = try await lock(id, in: market, by: admin, at: now, in: transaction).account
        try await invite(account, in: market, at: now, in: transaction)
        try tell(.invited, id, market, by: admin, at: now, in: transaction)
    }

    private func invite(
        _ account: Account, in market: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard !signIn.takesPassword(in: market) else {
            return try await sendProof.invite(account, at: now, in: transaction)
        }
        try await deliver(
            .nafathInvitation, to: account, until: now.addingTimeInterval(ProofRule.invitationSeconds), at: now,
            in: transaction)
    }

    /// Changes a person; nil leaves a part as it is. The change needs no further check: a verified provider stays
    /// verified, unless papers or details of another title are missing.
    ///
    /// - Throws: ``IdentityError/noSuchAccount`` for a person without a role in the market,
    ///   ``IdentityError/adminsAccount``, ``IdentityError/ownAccount``, ``IdentityError/otherMarkets`` for a name that
    ///   other markets use too, ``AccountError/notAProvider``, ``IdentityError/rightsLost``.
    func change(
        _ id: UUID, in market: String, to change: PersonChange, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Account {
        // Otherwise an admin who is also a provider could set a title of his own without any check.
        guard id != admin else { throw IdentityError.ownAccount }
        let (found, rights) = try await lock(id, in: market, by: admin, at: now, in: transaction)
        var account = found
        if change.isOfPerson { try Self.checkAlone(account, market, rights) }
        guard try account.correct(change, in: market) else { return account }
        if let title = change.title {
            // Papers and details of another title have to be checked first.
            let missing = try await documents.missing(of: id, title: title, in: market, at: now, transaction)
            if !missing.isEmpty, let role = account.provider(in: market, title: title) { _ = account.waitAgain(role) }
        }
        transaction.send(UpdateAccount(account: account))
        if let title = change.title, let role = account.provider(in: market, title: title) {
            for old in found.providers(in: market) where account.role(like: old) == nil {
                transaction.send(DeleteProviderRole(account: id, role: old))
            }
            transaction.send(PutRole(account: id, role: role, now: now))
            transaction.send(DecideRole(account: id, role: role, admin: admin, now: now))
        }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        try tell(.changed, id, market, by: admin, at: now, in: transaction)
        return account
    }

    /// Removes a person from the market. A person with roles in other markets too loses the roles of this one, with
    /// papers, details, places, terms and families there; a provider who comes back waits for an admin. For other
    /// people this is a deletion of the account, which is refused while something is open.
    ///
    /// - Returns: the deletion; nil when only roles were removed.
    /// - Throws: as ``change(_:in:to:by:at:in:)``; ``IdentityError/ownAccount``.
    func remove(
        _ id: UUID, from market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Deletion? {
        guard id != admin else { throw IdentityError.ownAccount }
        var (account, _) = try await lock(id, in: market, by: admin, at: now, in: transaction)
        guard account.roles.contains(where: { $0.market != market }) else {
            return try await askDeletion(account, by: .admin(admin, market: market), at: now, in: transaction)
        }
        account.removeRoles(in: market)
        transaction.send(UpdateAccount(account: account))
        transaction.send(DeleteMarketRoles(account: id, market: market))
        transaction.send(PutLeftMarket(account: id, market: market, admin: admin, now: now))
        // Data that only this market needed.
        transaction.send(DeleteMarketDocuments(account: id, market: market))
        transaction.send(DeleteMarketDetails(account: id, market: market))
        transaction.send(DeleteMarketPlaces(account: id, market: market))
        transaction.send(DeleteRecentPlaces(account: id, market: market))
        transaction.send(DeletePublishedContact(account: id, market: market))
        transaction.send(DeleteBillingAddress(account: id, market: market))
        let keys = try await transaction.query(RevokeMarketKeys(account: id, market: market, now: now))
        try endSessions.tell(keys, of: id, at: now, in: transaction)
        transaction.send(DeleteMarketTerms(account: id, market: market))
        try await ChangeLinks.removeAll(of: id, in: market, by: admin, at: now, in: transaction)
        try await endSessions.all(of: id, cause: .rights, at: now, in: transaction)
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        try tell(.removed, id, market, by: admin, at: now, in: transaction)
        return nil
    }

    /// Removes the second factor of a person who has lost it and its recovery codes. All sessions end, and a mail tells
    /// the owner.
    ///
    /// - Parameter market: `*` for a master admin's account.
    /// - Throws: ``IdentityError/ownAccount``, ``IdentityError/noSuchAccount``, ``IdentityError/adminsAccount``,
    ///   ``IdentityError/otherMarkets``, ``IdentityError/secondFactor(isThere:)``, ``IdentityError/rightsLost``.
    func resetSecondFactor(
        of id: UUID, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard id != admin else { throw IdentityError.ownAccount }
        let rights = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        let account = try await Accounts.lockConfirmed(id, in: transaction)
        guard account.roles.contains(where: { $0.market == market }) else { throw IdentityError.noSuchAccount }
        guard !account.isStaff || rights.isMaster else { throw IdentityError.adminsAccount }
        try Self.checkAlone(account, market, rights)
        try await secondFactor.remove(of: id, at: now, in: transaction)
        try await endSessions.all(of: id, cause: .secondFactor, at: now, in: transaction)
        try tell(.secondFactorReset, id, market, by: admin, at: now, in: transaction)
    }

    /// Checks that no other market has a say about the account.
    static func checkAlone(_ account: Account, _ market: String, _ rights: AdminRights) throws {
        guard rights.isMaster || account.roles.allSatisfy({ $0.market == market }) else {
            throw IdentityError.otherMarkets
        }
    }

    /// Locks a provider or customer of the market who is no admin, or any such person for a master admin.
    func lock(
        _ id: UUID, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> (account: Account, rights: AdminRights) {
        let rights = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        let account = try await Accounts.lockConfirmed(id, in: transaction)
        guard account.roles.contains(where: { $0.market == market && !$0.isStaff }) else {
            throw IdentityError.noSuchAccount
        }
        guard !account.isStaff || rights.isMaster else { throw IdentityError.adminsAccount }
        return (account, rights)
    }

    func tell(
        _ act: AccountManaged.Act, _ account: UUID, _ market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) throws {
        try transaction.publish(AccountManaged(account: account, market: market, act: act, by: admin, at: now))
    }
}
