import Contracts
import Foundation
import Messaging
import Postgres

/// An owner's changes of an account: profile and roles.
struct ChangeAccount: Sendable {
    /// - Throws: ``IdentityError/noSuchAccount``.
    func profile(
        of id: UUID, name: PersonName?, gender: Account.Gender?, language: Account.Language?, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Account {
        var account = try await Accounts.lock(id, in: transaction)
        let verified = Set(account.roles.filter { $0.state == .verified }.map(\.market))
        guard account.change(name: name, gender: gender, language: language) else { return account }
        transaction.send(UpdateAccount(account: account))
        for role in account.roles where role.state == .waiting && verified.contains(role.market) {
            transaction.send(PutRole(account: id, role: role, now: now))
        }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        return account
    }

    /// - Throws: ``AccountError/hasRole(_:)``, ``IdentityError/noSuchAccount``, ``IdentityError/banned(_:)``.
    func add(_ role: Role, to id: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> Account {
        var account = try await Accounts.lockConfirmed(id, in: transaction)
        if let ban = account.ban(in: role.market, at: now) { throw IdentityError.banned(ban) }
        try account.add(role)
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutRole(account: id, role: role, now: now))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        return account
    }
}
