import Contracts
import Foundation
import Messaging
import Postgres

/// Removes Nafath from an account that has another way to log in. Its provider roles that Nafath's title verified wait
/// for an admin's decision; those that an admin verified stay.
struct RemoveNafath: Sendable {
    /// A mail about the change that is not sent within a week is dropped.
    static let mailSeconds = ChangePassword.mailSeconds

    let signIn: SignInRule
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding
    let deliver: RequestDelivery

    /// Removes Nafath; the caller has checked the owner's password.
    ///
    /// - Throws: ``IdentityError/noSuchAccount`` when the account has no national id, ``IdentityError/onlyWayIn``
    ///   without a password that can log in.
    func callAsFunction(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        var account = try await Accounts.lock(id, in: transaction)
        let (ids, passwords) = try await transaction.queryAll(
            FindNationalID(account: id), FindOwnPassword(account: id))
        guard !ids.isEmpty else { throw IdentityError.noSuchAccount }
        guard !passwords.isEmpty, signIn.takesPassword(of: account) else { throw IdentityError.onlyWayIn }
        transaction.send(DeleteNationalID(account: id))
        var isChanged = false
        let decided = Set(try await transaction.query(ListDecidedMarkets(account: id)))
        for role in account.roles
        where onboarding(role.market).providerCheck == .nafath && !decided.contains(role.market) {
            guard account.waitAgain(role), let waiting = account.role(like: role) else {
                continue
            }
            isChanged = true
            transaction.send(PutRole(account: id, role: waiting, now: now))
        }
        if isChanged {
            transaction.send(UpdateAccount(account: account))
            try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        }
        try await deliver(
            .nafathRemoved, to: account, until: now.addingTimeInterval(Self.mailSeconds), at: now, in: transaction)
    }
}
