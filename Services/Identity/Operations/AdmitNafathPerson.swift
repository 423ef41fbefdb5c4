import Contracts
import Foundation
import Messaging
import Postgres

/// Finds the account of a person whom Nafath has named, or makes one (I5): by national id; else by mobile number, with
/// the owner's word; else a new one. It is a verified provider if Nafath knows a title of the market's, else a customer.
struct AdmitNafathPerson: Sendable {
    enum Outcome: Sendable {
        case account(UUID)
        /// An account has the mobile number: its owner is asked first.
        case ownerNeeded(NafathTicket)
    }

    let cipher: PersonalDataCipher
    let change: ChangeAccount
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding

    /// - Throws: ``IdentityError/taken(email:mobile:)`` when an account of another national id has the mobile number.
    func callAsFunction(
        _ person: NafathPerson, _ claims: NafathClaims, in market: Market, language: Account.Language, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        let hash = cipher.hash(person.nationalID.text, for: .nationalID)
        try await transaction.execute(LockNationalID(hash: hash))
        if let id = try await transaction.first(FindByNationalID(hash: hash)) {
            var account = try await Accounts.lock(id, in: transaction)
            try takeRole(person, &account, market, at: now, in: transaction)
            return .account(id)
        }
        let mobileHash = cipher.hash(person.mobile.text, for: .mobile)
        if let taken = try await transaction.first(FindPassword(emailHash: nil, mobileHash: mobileHash)) {
            let account = try await Accounts.lock(taken.account, in: transaction)
            guard try await transaction.first(FindNationalID(account: account.id)) == nil else {
                throw IdentityError.taken(email: false, mobile: true)
            }
            return .ownerNeeded(try await ticket(account, claims, market, at: now, in: transaction))
        }
        return .account(
            try await register(person, hash, mobileHash, market, language, at: now, in: transaction))
    }

    /// Gives the person's national id to an account whose owner is known to be the person. The account takes Nafath's name.
    ///
    /// - Throws: ``IdentityError/nationalIDTaken`` when it is another account's, or the account has another one.
    func link(
        _ person: NafathPerson, to id: UUID, in market: Market, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let hash = cipher.hash(person.nationalID.text, for: .nationalID)
        try await transaction.execute(LockNationalID(hash: hash))
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
                    now: now))
        }
        account = try await change.profile(
            of: id, ChangeAccount.Profile(name: person.name, gender: person.gender), at: now, in: transaction)
        try takeRole(person, &account, market, at: now, in: transaction)
    }

    private func register(
        _ person: NafathPerson, _ hash: [UInt8], _ mobileHash: [UInt8], _ market: Market, _ language: Account.Language,
        at now: Date, in transaction: PostgresTransaction
    ) async throws -> UUID {
        var role = Role.customer(in: market.id)
        if let title = market.title(ofJob: person.jobTitle) {
            role = .provider(in: market.id, title: title.id)
            if onboarding(market.id).providerCheck == .nafath { role.state = .verified }
        }
        let account = Account(
            id: .timeOrdered(), name: person.name, gender: person.gender, language: language, role: role)
        let insert = InsertNafathAccount(
            account: account, mobile: try cipher.seal(person.mobile.text, .mobile, of: account.id),
            mobileHash: mobileHash, now: now)
        do {
            try await transaction.execute(insert)
        } catch {
            // Somebody has registered with the number since the look.
            guard error.sqlState == .uniqueViolation else { throw error }
            throw IdentityError.taken(email: false, mobile: true)
        }
        transaction.send(
            InsertNationalID(
                account: account.id, sealed: try cipher.seal(person.nationalID.text, .nationalID, of: account.id),
                hash: hash, now: now))
        transaction.send(PutRole(account: account.id, role: role, now: now))
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
        return account.id
    }

    /// Nobody takes a role where he is banned.
    private func takeRole(
        _ person: NafathPerson, _ account: inout Account, _ market: Market, at now: Date,
        in transaction: PostgresTransaction
    ) throws {
        let title = market.title(ofJob: person.jobTitle)?.id
        guard account.ban(in: market.id, at: now) == nil,
            let role = account.take(
                person, title: title, verifies: onboarding(market.id).providerCheck == .nafath, in: market.id)
        else { return }
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutRole(account: account.id, role: role, now: now))
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
        let ownership = try await transaction.first(FindOwnership(account: account.id))
        var ways: [NafathTicket.Way] = ownership?.hasPassword == true ? [.password] : []
        // Whoever has proved a mail address is the owner, and a number may have gone to somebody else since.
        if NafathTicket.allowsSMS(account), ownership?.emailIsProved != true { ways.append(.sms) }
        return NafathTicket(text: token.text, ways: ways, expiresAt: end)
    }
}

/// A person whom Nafath has named, until the owner of the account with that mobile number gives his word.
struct NafathTicket: Sendable {
    enum Way: String, Sendable { case password, sms }

    let text: String
    let ways: [Way]
    let expiresAt: Date

    /// A number may go to somebody else; an admin's rights must not go with it.
    static func allowsSMS(_ account: Account) -> Bool { !account.roles.contains { $0.kind == .admin } }
}
