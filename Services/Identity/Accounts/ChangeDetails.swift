import Contracts
import Foundation
import Messaging
import Postgres

/// Changes the details of a provider, such as the vehicle. A verified provider waits for an admin again. The account
/// gets a new version, so an admin's decision about the old details is refused.
struct ChangeDetails: Sendable {
    let intake: RecordIntake

    /// - Parameter account: locked by the caller.
    func callAsFunction(
        _ details: [String: String], of account: Account, for role: Role, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let find = FindRoleDetails(account: account.id, market: role.market, role: role.kind)
        guard try intake.open(try await transaction.first(find)) != details else { return }
        try intake.details(details, of: account.id, for: role, at: now, in: transaction)
        var account = account
        guard account.bringsOther(in: role.market), let after = account.role(role.kind, in: role.market) else { return }
        transaction.send(UpdateAccount(account: account))
        if after.state != role.state { transaction.send(PutRole(account: account.id, role: after, now: now)) }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }
}
