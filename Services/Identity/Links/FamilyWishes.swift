import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// A relative whom somebody names when registering.
struct FamilyWish: Sendable, Equatable {
    /// Most relatives of one registration.
    static let maximum = 5

    let contact: NewContact
    let scopes: Set<Link.Scope>
}

/// Links families at registration (I9): the relatives are asked as soon as the account is confirmed, as if its owner had
/// asked then. A relative who has no account yet is asked when he or she has proved the contact, within a month. Nobody
/// learns whether a contact has an account.
struct FamilyWishes: Sendable {
    static let deadline = "identity.family-wishes"
    /// Somebody has proved a contact by which a relative waits.
    static let provedDeadline = "identity.family-proved"
    static let waitSeconds: Double = 30 * 86_400
    private static let daySeconds: Double = 86_400

    let cipher: PersonalDataCipher
    let changeLinks: ChangeLinks

    /// Keeps the wishes until the confirmation.
    static func keep(
        _ wishes: [FamilyWish], of account: UUID, in market: String, _ cipher: PersonalDataCipher,
        _ transaction: PostgresTransaction
    ) {
        for (position, wish) in wishes.enumerated() {
            let hash =
                switch wish.contact {
                case .email(let email): cipher.hash(email.normalized, for: .email)
                case .mobile(let mobile): cipher.hash(mobile.text, for: .mobile)
                }
            transaction.send(
                InsertFamilyWish(
                    account: account, position: position, market: market, contact: wish.contact.kind, hash: hash,
                    scopes: wish.scopes))
        }
    }

    /// Has the relatives asked in a moment: a transaction of its own locks the accounts in their order.
    static func ask(of account: UUID, at now: Date, in transaction: PostgresTransaction) {
        transaction.set(Deadline(kind: deadline, subject: account.text, dueAt: now))
    }

    /// Has those looked at again who wait for somebody with a contact. The caller has locked the contact, and the account
    /// has proved it when this transaction commits.
    static func wake(
        _ contact: ContactHash, of account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard try await !transaction.query(ListWaitingFamilies(hashes: [contact.hash])).isEmpty else { return }
        transaction.set(Deadline(kind: provedDeadline, subject: account.text, dueAt: now))
    }

    /// Has everybody ask who waits for one of the contacts of an account.
    func proved(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let account = UUID(uuidString: deadline.subject),
            let contacts = try await transaction.first(FindContactHashes(account: account))
        else { return }
        let hashes = [contacts.email, contacts.mobile].compactMap { $0 }
        for family in try await transaction.query(ListWaitingFamilies(hashes: hashes)) {
            Self.ask(of: family, at: now, in: transaction)
        }
    }

    /// Asks the relatives who have an account; the others wait. A request that cannot be made is dropped: to one's own
    /// contact, for a link that exists, or beyond the limit of links. Requests beyond one day's limit wait for the
    /// next.
    func answer(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let account = UUID(uuidString: deadline.subject) else { return }
        let wishes = try await transaction.query(LockFamilyWishes(account: account))
        // In one order, and before any account is locked: whoever proves one of these contacts at this moment is found
        // here, or finds a wish that waits.
        for hash in Set(wishes.map(\.hash)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            try await transaction.execute(LockContact(hash: hash))
        }
        var next: Date?
        for wish in wishes {
            let end = wish.waitsUntil ?? now.addingTimeInterval(Self.waitSeconds)
            guard let again = try await ask(wish, of: account, at: now, in: transaction), end > now else {
                transaction.send(DeleteFamilyWish(account: account, position: wish.position))
                continue
            }
            transaction.send(WaitFamilyWish(account: account, position: wish.position, until: end))
            next = min(next ?? end, again, end)
        }
        if let next { transaction.set(Deadline(kind: Self.deadline, subject: account.text, dueAt: next)) }
    }

    /// Asks one relative.
    /// - Returns: when the wish is to be looked at again, at the latest; nil when it is done with.
    private func ask(
        _ wish: LockFamilyWishes.Row, of account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Date? {
        let other =
            wish.isEmail
            ? try await transaction.first(FindByEmail(emailHash: wish.hash))
            : try await transaction.first(FindByMobile(mobileHash: wish.hash))
        guard let other else { return .distantFuture }
        guard other != account else { return nil }
        let count = try await transaction.first(CountLinkAsk(account: account, now: now)) ?? 0
        guard count <= LinkRule.askedPerDay else { return now.addingTimeInterval(Self.daySeconds) }
        let link = Link.asked(
            .timeOrdered(), .family, market: wish.market, from: account, to: other, scopes: wish.scopes)
        do {
            try await changeLinks.ask(link, at: now, in: transaction)
        } catch is LinkError {
            return nil
        } catch is IdentityError {
            return nil
        }
        return nil
    }
}

extension Form {
    /// `family`: relatives by mobile number or e-mail address, with what the two may do for each other.
    /// - Parameter kind: the contact that the market proves, and so the one that is missed where none is given.
    func familyWishes(by kind: NewContact.Kind) -> [FamilyWish] {
        let entries = objects("family", count: 0...FamilyWish.maximum, required: false) ?? []
        return entries.compactMap { entry in
            let contact: NewContact?
            switch kind {
            case .email:
                let mobile = entry.knownMobileNumber("mobile", required: false)
                let email = entry.emailAddress("email", required: mobile == nil)
                contact = email.map(NewContact.email) ?? mobile.map(NewContact.mobile)
            case .mobile:
                let email = entry.emailAddress("email", required: false)
                let mobile = entry.knownMobileNumber("mobile", required: email == nil)
                contact = mobile.map(NewContact.mobile) ?? email.map(NewContact.email)
            }
            guard let scopes = entry.linkScopes(.family), let contact else { return nil }
            return FamilyWish(contact: contact, scopes: scopes)
        }
    }
}

extension Market.Confirmation {
    /// The contact that everybody of such a market has proved, by which relatives are named.
    var familyContact: NewContact.Kind { self == .email ? .email : .mobile }
}
