import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Changes of links between people (I9): request, agreement, approval, removal. Other services are told of links that
/// hold, and of their end.
struct ChangeLinks: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher

    /// Finds the account with a number or address. Each request counts, whether the contact is known or not, so that a
    /// phone book cannot be tried.
    ///
    /// - Throws: ``LinkError/tooManyAsked``, ``LinkError/unknownMobile``, ``LinkError/ownMobile``,
    ///   ``LinkError/unknownEmail``, ``LinkError/ownEmail``.
    func find(_ contact: NewContact, for asking: UUID, at now: Date) async throws -> UUID {
        let count = try await pool.first(CountLinkAsk(account: asking, now: now)) ?? 0
        guard count <= LinkRule.askedPerDay else { throw LinkError.tooManyAsked }
        switch contact {
        case .mobile(let mobile):
            let find = FindByMobile(mobileHash: cipher.hash(mobile.text, for: .mobile))
            guard let found = try await pool.first(find) else { throw LinkError.unknownMobile }
            guard found != asking else { throw LinkError.ownMobile }
            return found
        case .email(let email):
            let find = FindByEmail(emailHash: cipher.hash(email.normalized, for: .email))
            guard let found = try await pool.first(find) else { throw LinkError.unknownEmail }
            guard found != asking else { throw LinkError.ownEmail }
            return found
        }
    }

    /// - Parameter contact: by what the other one was named.
    /// - Throws: ``LinkError/unknownMobile`` or ``LinkError/unknownEmail`` also for one who has blocked the asking account;
    ///   ``LinkError/exists(_:)``, ``LinkError/tooMany``, ``IdentityError/banned(_:)``;
    ///   ``IdentityError/noSuchAccount`` when one of the two was deleted just now.
    func ask(
        _ link: Link, by contact: NewContact.Kind = .mobile, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        // Both, because the links of both are counted: of two requests at once the second counts that of the first.
        let people = try await lockPeople(of: link, in: transaction)
        for person in people where person.id == link.from {
            try Self.check(person, mayLinkIn: link.market, at: now)
        }
        let unknown: LinkError = contact == .email ? .unknownEmail : .unknownMobile
        // A person who has blocked the asking account gets no other request of that account, either.
        if try await transaction.first(IsBlocked(asking: link.from, other: link.to)) == true { throw unknown }
        try await insert(link, unknown: unknown, at: now, in: transaction)
        try await Self.tellPeople(link, .asked, by: link.from, at: now, in: transaction)
    }

    /// Creates a confirmed link, by an admin, for two people of the market who asked for it outside the platform.
    ///
    /// - Throws: ``LinkError``; ``IdentityError/noSuchAccount`` when one of the two has no role in the market;
    ///   ``IdentityError/rightsLost``; ``LinkError/banned`` when one is banned there; ``IdentityError/ownAccount``.
    func make(
        _ link: Link, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard !link.isOf(admin) else { throw IdentityError.ownAccount }
        _ = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        let people = try await lockPeople(of: link, in: transaction)
        guard people.allSatisfy({ $0.roles.contains { $0.market == market } }) else {
            throw IdentityError.noSuchAccount
        }
        try Self.check(people, mayBeLinkedIn: market, at: now)
        try await insert(link, at: now, in: transaction)
        try await tell(link, by: admin, at: now, in: transaction)
    }

    /// Records the other person's agreement.
    ///
    /// - Throws: ``LinkError/notFound``, also for strangers; ``Link/Refusal``; ``IdentityError/banned(_:)`` for a
    ///   person who is banned in the family's market.
    func agree(_ id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> Link {
        // The account is locked before the link, as in a deletion: a ban either comes first, or finds the confirmed
        // link.
        let agreeing = try await Accounts.lock(account, in: transaction)
        var link = try await lock(id, in: transaction)
        guard link.isShown(to: account) else { throw LinkError.notFound }
        try Self.check(agreeing, mayLinkIn: link.market, at: now)
        try link.agree(by: account)
        transaction.send(MoveLink(link: link, now: now))
        if link.state == .confirmed {
            try await tell(link, by: nil, at: now, in: transaction)
        } else {
            try await Self.tellPeople(link, .agreed, by: account, at: now, in: transaction)
        }
        return link
    }

    /// Approves a family link of the market, by an admin.
    ///
    /// - Throws: ``LinkError/notFound``, also for links of other markets; ``Link/Refusal``,
    ///   ``IdentityError/rightsLost``; ``LinkError/banned`` when one of the two is banned;
    ///   ``IdentityError/ownAccount``.
    func approve(
        _ id: UUID, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Link {
        _ = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        guard case let found?? = try await transaction.first(FindLink(link: id)), found.market == market else {
            throw LinkError.notFound
        }
        guard !found.isOf(admin) else { throw IdentityError.ownAccount }
        let people = try await lockPeople(of: found, in: transaction)
        var link = try await lock(id, in: transaction)
        try link.approve()
        try Self.check(people, mayBeLinkedIn: market, at: now)
        transaction.send(MoveLink(link: link, now: now))
        try await tell(link, by: admin, at: now, in: transaction)
        return link
    }

    /// Blocks the other one of a friendship: it ends, and that one's requests are answered as for a number that nobody
    /// has, until the link is removed by the one who has blocked.
    ///
    /// - Throws: ``LinkError/notFound``, also for strangers and for whom it blocks already; ``Link/Refusal``.
    func block(_ id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> Link {
        var link = try await lock(id, in: transaction)
        guard link.isShown(to: account) else { throw LinkError.notFound }
        let wasConfirmed = link.state == .confirmed
        try link.block(by: account)
        transaction.send(MoveLink(link: link, now: now))
        // Told as any end of a friendship is: not that it is for good.
        try await Self.tellPeople(
            link, wasConfirmed ? .removed : .withdrawn, by: account, at: now, in: transaction)
        if wasConfirmed {
            try await ChangeGroups.part(link, at: now, in: transaction)
            try transaction.publish(
                LinkRemoved(link: link.id, market: link.market, from: link.from, to: link.to, by: nil, at: now))
        }
        return link
    }

    /// Removes a link in any state, by one of the two people; the other need not agree.
    func remove(_ id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let link = try await lock(id, in: transaction)
        guard link.isShown(to: account) else { throw LinkError.notFound }
        try await Self.remove(link, by: nil, or: account, at: now, in: transaction)
    }

    /// Removes a family link, by an admin of its market.
    func remove(
        _ id: UUID, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        _ = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        let link = try await lock(id, in: transaction)
        guard link.market == market else { throw LinkError.notFound }
        try await Self.remove(link, by: admin, or: admin, at: now, in: transaction)
    }

    /// Publishes the end of the links of an account that is deleted and whose row the caller has locked. The rows are
    /// deleted with the account.
    static func tellAllRemoved(of account: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        for case let link? in try await transaction.query(LockLinks(account: account)) {
            switch link.state {
            case .confirmed:
                try transaction.publish(
                    LinkRemoved(link: link.id, market: link.market, from: link.from, to: link.to, by: nil, at: now))
            // Nothing is left to agree to or to approve.
            case .asked, .agreed: try await tellPeople(link, .withdrawn, by: account, at: now, in: transaction)
            case .blocked: break
            }
        }
    }

    /// Removes the family links in a market of an account that loses its roles there and whose row the caller has
    /// locked.
    static func removeAll(
        of account: UUID, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        for case let link? in try await transaction.query(LockLinks(account: account)) where link.market == market {
            try await remove(link, by: admin, or: admin, at: now, in: transaction)
        }
    }

    private static func check(
        _ account: Account, mayLinkIn market: String?, at now: Date
    ) throws(IdentityError) {
        if let ban = market.map({ account.ban(in: $0, at: now) }) ?? account.banEverywhere(at: now) {
            throw .banned(ban)
        }
    }

    /// Locks both accounts in one order, before the link: a ban either comes first, or finds the link.
    private func lockPeople(of link: Link, in transaction: PostgresTransaction) async throws -> [Account] {
        var people: [Account] = []
        for account in [link.from, link.to].sorted(by: { $0.uuidString < $1.uuidString }) {
            people.append(try await Accounts.lock(account, in: transaction))
        }
        return people
    }

    /// Checks the people whom an admin links.
    private static func check(
        _ people: [Account], mayBeLinkedIn market: String, at now: Date
    ) throws(LinkError) {
        guard people.allSatisfy({ $0.ban(in: market, at: now) == nil }) else { throw .banned }
    }

    /// - Parameter unknown: the answer to an account that is blocked: the block itself is not told.
    private func insert(
        _ link: Link, unknown: LinkError = .unknownMobile, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard try await transaction.first(InsertLink(link: link, now: now)) == nil else { return }
        if case let known?? = try await transaction.first(FindLinkOfPair(link: link)) {
            guard known.isShown(to: link.from) else { throw unknown }
            throw LinkError.exists(known.state)
        }
        throw LinkError.tooMany
    }

    private func lock(_ id: UUID, in transaction: PostgresTransaction) async throws -> Link {
        guard case let link?? = try await transaction.first(LockLink(link: id)) else { throw LinkError.notFound }
        return link
    }

    /// - Parameter actor: one of the two, or the admin.
    private static func remove(
        _ link: Link, by admin: UUID?, or actor: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        transaction.send(DeleteLink(link: link.id))
        // The other one was told when it was blocked.
        guard link.state != .blocked else { return }
        try await tellPeople(
            link, link.state == .confirmed ? .removed : .withdrawn, by: actor, at: now, in: transaction)
        if link.state == .confirmed { try await ChangeGroups.part(link, at: now, in: transaction) }
        // Other services know only confirmed links; an admin's removal is also for the audit log.
        guard link.state == .confirmed || admin != nil else { return }
        try transaction.publish(
            LinkRemoved(link: link.id, market: link.market, from: link.from, to: link.to, by: admin, at: now))
    }

    private func tell(
        _ link: Link, by admin: UUID?, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        try transaction.publish(
            LinkConfirmed(
                link: link.id, kind: link.kind.told, market: link.market, from: link.from, to: link.to,
                scopes: link.scopes.map(\.rawValue).sorted(), by: admin, at: now))
        try await Self.tellPeople(link, .confirmed, by: admin ?? link.to, at: now, in: transaction)
    }

    /// Has the two people told how their link goes on.
    private static func tellPeople(
        _ link: Link, _ step: LinkMoved.Step, by actor: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let names = try await transaction.first(FindNamesOfLink(link: link)) else { return }
        try transaction.publish(
            LinkMoved(
                link: link.id, kind: link.kind.told, market: link.market,
                from: .init(account: link.from, name: names.from), to: .init(account: link.to, name: names.to),
                step: step, by: actor, at: now))
    }
}

extension Link.Kind {
    var told: LinkConfirmed.Kind { self == .friend ? .friend : .family }
}

/// Errors of requests about links, beside ``Link/Refusal``.
enum LinkError: Error, Equatable {
    case notFound
    case unknownMobile
    case ownMobile
    case unknownEmail
    case ownEmail
    case tooManyAsked
    case tooMany
    case exists(Link.State)
    /// One of the people whom an admin links is banned in the market.
    case banned
}
