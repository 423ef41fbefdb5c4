import Contracts
import Foundation
import Messaging
import Postgres

/// Finds the account of a person whom Nafath has named, or makes one (I5): by national id; else by mobile number, with
/// the owner's word; else a new one. It is a verified provider if Nafath knows a title of the market's, else a customer.
///
/// Nafath's word proves the mobile number. Numbers go to other people: whoever had it loses the number and nothing else.
struct AdmitNafathPerson: Sendable {
    enum Outcome: Sendable {
        case account(UUID)
        /// An account has the mobile number: whether the person is its owner is asked first.
        case ownerNeeded(NafathTicket)
    }

    let cipher: PersonalDataCipher
    let change: ChangeAccount
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding
    let takeContact: TakeContact
    let deliver: RequestDelivery

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
            // One of another national id is another person's.
            if try await transaction.first(FindNationalID(account: account.id)) == nil {
                return .ownerNeeded(try await ticket(account, claims, market, at: now, in: transaction))
            }
        }
        return .account(try await register(person, in: market, language: language, at: now, in: transaction))
    }

    /// Nafath tells another number than the last time. Which one the owner has here is his own choice else.
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
        // What was sent to the old one proves nothing any more.
        transaction.send(ExpireProofs(account: id, now: now))
        transaction.send(ForgetNafathCode(account: id))
        try await deliver(
            .mobileChanged, to: account, until: now.addingTimeInterval(TakeContact.noticeSeconds), at: now,
            in: transaction)
    }

    private func contact(_ person: NafathPerson) -> ContactHash {
        ContactHash(kind: .mobile, hash: cipher.hash(person.mobile.text, for: .mobile))
    }

    /// Gives the person's national id to an account whose owner is known to be the person. The account takes Nafath's name.
    ///
    /// - Throws: ``IdentityError/nationalIDTaken`` when it is another account's, or the account has another one.
    func link(
        _ person: NafathPerson, to id: UUID, in market: Market, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let hash = cipher.hash(person.nationalID.text, for: .nationalID)
        let contact = contact(person)
        try await transaction.execute(LockNationalID(hash: hash))
        if try await transaction.first(FindContactHashes(account: id))?.mobile == contact.hash {
            // The number that the account has is the person's.
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

    /// The person has shown that the number is his, and not that the account is which has it. One that an admin has made, and
    /// nobody has had, is what he was invited to; else he gets a new one, and the other loses the number.
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

    /// A new account, which has the number alone. The national id is locked, and has none.
    ///
    /// - Throws: ``IdentityError/banned(_:)`` for who was banned there and went.
    private func register(
        _ person: NafathPerson, in market: Market, language: Account.Language, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> UUID {
        let contact = contact(person)
        let kept = FindKeptBanOfPerson(
            nationalID: cipher.hash(person.nationalID.text, for: .nationalID), mobile: contact.hash, market: market.id,
            now: now)
        if let ban = try await transaction.first(kept) { throw IdentityError.banned(ban) }
        var role = Role.customer(in: market.id)
        if let title = market.title(ofJob: person.jobTitle) {
            role = .provider(in: market.id, title: title.id)
            if onboarding(market.id).providerCheck == .nafath { role.state = .verified }
        }
        let account = Account(
            id: .timeOrdered(), name: person.name, gender: person.gender, language: language, role: role)
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
        try await TellVerified(deliver: deliver)(account, in: market.id, at: now, in: transaction)
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
        return account.id
    }

    /// Nobody takes a role where he is banned; and Nafath's word does not undo an admin's who has removed him.
    private func takeRole(
        _ person: NafathPerson, _ account: inout Account, _ market: Market, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let title = market.title(ofJob: person.jobTitle)?.id
        let wasRemoved = try await transaction.first(HasLeftMarket(account: account.id, market: market.id)) == true
        let verifies = onboarding(market.id).providerCheck == .nafath && !wasRemoved
        let kept = FindKeptBan(account: account.id, market: market.id, now: now)
        guard account.ban(in: market.id, at: now) == nil, try await transaction.first(kept) == nil,
            let role = account.take(person, title: title, verifies: verifies, in: market.id)
        else { return }
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutRole(account: account.id, role: role, now: now))
        try await TellVerified(deliver: deliver)(account, in: market.id, at: now, in: transaction)
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }

    private func ticket(
        _ account: Account, _ claims: NafathClaims, _ market: Market, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> NafathTicket {
        let token = RefreshToken.generate()
        let end = now.addingTimeInterval(NafathRule.ticketSeconds)
        let json = String(decoding: try JSONEncoder().encode(claims), as: UTF8.self)
        try await transaction.execute(
            PutNafathTicket(
                account: account.id, hash: token.hash, market: market.id,
                claims: try cipher.seal(json, .nafath, of: account.id), expiresAt: end, now: now))
        let hasPassword = try await transaction.first(FindOwnership(account: account.id))?.hasPassword == true
        // The password of one that has a second factor is not enough.
        let isEnough = try await transaction.first(FindSecondFactor(account: account.id))?.confirmedAt == nil
        return NafathTicket(
            text: token.text, ways: (hasPassword && isEnough ? [.password] : []) + [.sms], expiresAt: end)
    }
}

/// A person whom Nafath has named and whose mobile number an account has. The account's password shows its owner, who has it
/// linked; the code of an SMS shows that the number is the person's, who gets a new account with it.
struct NafathTicket: Sendable {
    enum Way: String, Sendable { case password, sms }

    let text: String
    let ways: [Way]
    let expiresAt: Date
}
