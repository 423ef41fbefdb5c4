import Contracts
import Foundation
import Messaging
import Postgres

/// Changes the details of a provider, such as the vehicle. A verified provider waits for an admin again. The account
/// gets a new version, so an admin's decision about the old details is refused.
struct ChangeDetails: Sendable {
    let intake: RecordIntake

    /// - Parameters:
    ///   - asked: the names that the role's title brings; details of another title stay.
    ///   - account: locked by the caller.
    func callAsFunction(
        _ details: [String: String], asked: Set<String>, of account: Account, for role: Role, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let find = FindRoleDetails(account: account.id, market: role.market, role: role.kind)
        let known = try intake.open(try await transaction.first(find))
        let others = known.filter { !asked.contains($0.key) }
        guard others.merging(details, uniquingKeysWith: { $1 }) != known else { return }
        try intake.details(details, besides: others, of: account.id, for: role, at: now, in: transaction)
        var account = account
        account.drives(details[RoleIntake.vehicle], as: role)
        guard account.bringsOther(role), let after = account.role(like: role) else { return }
        transaction.send(UpdateAccount(account: account))
        if after.state != role.state { transaction.send(PutRole(account: account.id, role: after, now: now)) }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }
}
