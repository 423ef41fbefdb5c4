import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON

/// Finds the account of a person named by Nafath, or creates one (I5): by the national id; else by the mobile number,
/// when the owner proves to own the account; else a new account. The person becomes a verified provider if Nafath's job
/// title is a title of the market and the market accepts it, else a customer. About a
/// medical profession that is no title of the market an admin is asked.
///
/// Nafath proves the mobile number. Numbers move between people: an account whose number another person proves loses
/// the number and nothing else.
struct AdmitNafathPerson: Sendable {
    enum Outcome: Sendable {
        case account(UUID)
        /// An account has the mobile number: the person has to prove to be its owner first.
        case ownerNeeded(NafathTicket)
    }

    let cipher: PersonalDataCipher
    let change: ChangeAccount
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding
    let takeContact: TakeContact
    let deliver: RequestDelivery
    let documents: ProviderDocuments

    func callAsFunction(
        _ person: NafathPerson, _ claims: NafathClaims, in market: Market, language: Account.Language, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        let hash = cipher.hash(person.nationalID.text, for: .nationalID)
        try await transaction.execute(LockNationalID(hash: hash))
        if let id = try await transaction.first(FindByNationalID(hash: hash)) {
            try await takeNewNumber(person, of: id, at: now, in: transaction)
            var account = try await Accounts.lock(id, in: transaction)
            try await takeRole(person, &account, market, at: now, in: transaction)
            return .account(id)
        }
        let mobileHash = cipher.hash(person.mobile.text, for: .mobile)
        try await transaction.execute(LockContact(hash: mobileHash))
        if let holder = try await transaction.first(FindPassword(emailHash: nil, mobileHash: mobileHash)) {
            let account = try await Accounts.lock(holder.account, in: transaction)
            // An account with another national id belongs to another person.
            if try await transaction.first(FindNationalID(account: account.id)) == nil {
                return .ownerNeeded(try await ticket(account, claims, market, at: now, in: transaction))
            }
        }
        return .account(try await register(person, in: market, language: language, at: now, in: transaction))
    }

    /// Takes a number over when Nafath reports another one than the last time. Otherwise the owner's own choice of a
    /// number stays.
    private func takeNewNumber(
        _ person: NafathPerson, of id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let contact = contact(person)
        guard try await transaction.first(TellNafathMobile(account: id, hash: contact.hash)) != nil else { return }
        try await takeContact(contact, for: id, evenProved: true, at: now, in: transaction)
        let account = try await Accounts.lock(id, in: transaction)
        let isNew = try await transaction.first(FindContactHashes(account: id))?.mobile != contact.hash
        transaction.send(
            ReplaceMobile(
                account: id, sealed: try cipher.seal(person.mobile.text, .mobile, of: id), hash: contact.hash,
                now: now))
        guard isNew else { return }
        // Codes that were sent to the old number are void.
        transaction.send(ExpireProofs(account: id, now: now))
        transaction.send(ForgetNafathCode(account: id))
        try await deliver(
            .mobileChanged, to: account, until: now.addingTimeInterval(TakeContact.noticeSeconds), at: now,
            in: transaction)
    }

    private func contact(_ person: NafathPerson) -> ContactHash {
        ContactHash(kind: .mobile, hash: cipher.hash(person.mobile.text, for: .mobile))
    }

    /// Gives the person's national id to the person's account. The account takes Nafath's name.
    ///
    /// - Throws: ``IdentityError/nationalIDTaken`` when another account has the id, or this account has another id.
    func link(
        _ person: NafathPerson, to id: UUID, in market: Market, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let hash = cipher.hash(person.nationalID.text, for: .nationalID)
        let contact = contact(person)
        try await transaction.execute(LockNationalID(hash: hash))
        if try await transaction.first(FindContactHashes(account: id))?.mobile == contact.hash {
            // The account's number is the person's, so it is proved now.
            try await takeContact(contact, for: id, evenProved: true, at: now, in: transaction)
            transaction.send(ProveContact(account: id, contact: contact, now: now))
        }
        var account = try await Accounts.lock(id, in: transaction)
        let (owners, own) = try await transaction.queryAll(
            FindByNationalID(hash: hash), FindNationalID(account: id))
        guard owners.allSatisfy({ $0 == id }), own.allSatisfy({ $0 == hash }) else {
            throw IdentityError.nationalIDTaken
        }
        if own.isEmpty {
            try await transaction.execute(
                InsertNationalID(
                    account: id, sealed: try cipher.seal(person.nationalID.text, .nationalID, of: id), hash: hash,
                    now: now, mobileHash: contact.hash))
        }
        account = try await change.profile(
            of: id, ChangeAccount.Profile(name: person.name, gender: person.gender), at: now, in: transaction)
        try await takeRole(person, &account, market, at: now, in: transaction)
    }

    /// Handles a code of the SMS, which proves the number, but not that the person owns the account with the number. An
    /// unused account that an admin made becomes the person's. Otherwise the person gets a new account, and the other
    /// one loses the number.
    ///
    /// - Returns: the person's account.
    /// - Throws: ``IdentityError/nationalIDTaken``.
    func takeNumber(
        _ person: NafathPerson, from id: UUID, in market: Market, language: Account.Language, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> UUID {
        let hash = cipher.hash(person.nationalID.text, for: .nationalID)
        try await transaction.execute(LockNationalID(hash: hash))
        guard try await transaction.first(FindOwnership(account: id))?.isSomebodys != false else {
            try await link(person, to: id, in: market, at: now, in: transaction)
            return id
        }
        guard try await transaction.first(FindByNationalID(hash: hash)) == nil else {
            throw IdentityError.nationalIDTaken
        }
        return try await register(person, in: market, language: language, at: now, in: transaction)
    }

    /// Creates an account that has only the number. The caller has locked the national id, and no account has it.
    ///
    /// - Throws: ``IdentityError/banned(_:)`` for a person who was banned there and whose account was deleted.
    private func register(
        _ person: NafathPerson, in market: Market, language: Account.Language, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> UUID {
        let contact = contact(person)
        let kept = FindKeptBanOfPerson(
            nationalID: cipher.hash(person.nationalID.text, for: .nationalID), mobile: contact.hash, market: market.id,
            now: now)
        if let ban = try await transaction.first(kept) { throw IdentityError.banned(ban) }
        let id = UUID.timeOrdered()
        var role = Role.customer(in: market.id)
        if let title = market.title(ofJob: person.jobTitle) {
            role = .provider(in: market.id, title: title.id)
            if try await verifies(title.id, of: id, in: market.id, at: now, in: transaction) { role.state = .verified }
        }
        let account = Account(
            id: id, name: person.name, gender: person.gender, language: language, role: role)
        let insert = InsertNafathAccount(
            account: account, mobile: try cipher.seal(person.mobile.text, .mobile, of: account.id),
            mobileHash: contact.hash, now: now)
        try await takeContact(contact, for: account.id, evenProved: true, at: now, in: transaction)
        try await transaction.execute(insert)
        transaction.send(
            InsertNationalID(
                account: account.id, sealed: try cipher.seal(person.nationalID.text, .nationalID, of: account.id),
                hash: cipher.hash(person.nationalID.text, for: .nationalID), now: now, mobileHash: contact.hash))
        transaction.send(PutRole(account: account.id, role: role, now: now))
        try await question(person, account.id, market, at: now, in: transaction)
        try await NotifyVerified(deliver: deliver)(account, in: market.id, at: now, in: transaction)
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
        return account.id
    }

    /// Has an admin look at a medical profession that the market has no title for.
    ///
    /// - Parameters:
    ///   - held: the title that the person has here already.
    ///   - hasLost: whether the person worked by a title that Nafath no longer tells; then an admin looks at any
    ///   profession.
    private func question(
        _ person: NafathPerson, _ account: UUID, _ market: Market, heldAs held: String? = nil, hasLost: Bool = false,
        at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let job = person.jobTitle, hasLost || market.read(jobTitle: job, heldAs: held) == .unknownMedical else {
            return
        }
        try await TitleQuestions.ask(
            String(job.prefix(200)), of: account, in: market.id, at: now, in: transaction)
    }

    /// Whether the market takes Nafath's title as verification and asks for nothing that the account does not have:
    /// Nafath tells a profession, and no papers, details or age.
    private func verifies(
        _ title: String?, of account: UUID, in market: String, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        guard onboarding(market).providerCheck == .nafath, let title else { return false }
        return try await documents.missing(of: account, title: title, in: market, at: now, transaction).isEmpty
    }

    /// Adds or verifies a role. A ban prevents this, and Nafath's title does not verify a provider whom an admin has
    /// removed.
    private func takeRole(
        _ person: NafathPerson, _ account: inout Account, _ market: Market, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let held = account.role(.provider, in: market.id)?.title
        let title = market.title(ofJob: person.jobTitle, heldAs: held)?.id
        let wasRemoved = try await transaction.first(HasLeftMarket(account: account.id, market: market.id)) == true
        let isEnough = try await verifies(title, of: account.id, in: market.id, at: now, in: transaction)
        let kept = FindKeptBan(account: account.id, market: market.id, now: now)
        guard account.ban(in: market.id, at: now) == nil, try await transaction.first(kept) == nil else { return }
        let decided = try await transaction.query(ListDecidedMarkets(account: account.id))
        let isDecided = onboarding(market.id).providerCheck != .nafath || decided.contains(market.id)
        let hasLost = title == nil && account.isVerifiedByNafath(in: market.id, isDecided: isDecided)
        if !isDecided || account.role(.provider, in: market.id) == nil {
            try await question(person, account.id, market, heldAs: held, hasLost: hasLost, at: now, in: transaction)
        }
        if title != nil { transaction.send(DropTitleQuestion(account: account.id, market: market.id)) }
        let taken = account.take(
            person, title: title, verifies: isEnough && !wasRemoved, isDecided: isDecided, in: market.id)
        guard let role = taken else { return }
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutRole(account: account.id, role: role, now: now))
        try await NotifyVerified(deliver: deliver)(account, in: market.id, at: now, in: transaction)
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }

    private func ticket(
        _ account: Account, _ claims: NafathClaims, _ market: Market, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> NafathTicket {
        let token = RefreshToken.generate()
        let end = now.addingTimeInterval(NafathRule.ticketSeconds)
        let json = try JSON.stored.text(claims)
        try await transaction.execute(
            PutNafathTicket(
                account: account.id, hash: token.hash, market: market.id,
                claims: try cipher.seal(json, .nafath, of: account.id), expiresAt: end, now: now))
        let hasPassword = try await transaction.first(FindOwnership(account: account.id))?.hasPassword == true
        // The password is not enough for an account with a second factor.
        let isEnough = try await transaction.first(FindSecondFactor(account: account.id))?.confirmedAt == nil
        return NafathTicket(
            text: token.text, ways: (hasPassword && isEnough ? [.password] : []) + [.sms], expiresAt: end)
    }
}

/// The proof that is still needed for a person named by Nafath whose mobile number an account has. The account's
/// password proves its owner, and Nafath is linked to it; the code of an SMS proves only the number, and the person
/// gets a new account with it.
struct NafathTicket: Sendable {
    enum Way: String, Sendable { case password, sms }

    let text: String
    let ways: [Way]
    let expiresAt: Date
}
