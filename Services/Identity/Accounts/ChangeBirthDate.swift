import Contracts
import Foundation
import Messaging
import Postgres

/// Changes the date of birth. A verified provider waits for an admin again where the market asks for an age. The
/// account gets a new version, so an admin's decision about the old date is refused.
struct ChangeBirthDate: Sendable {
    let cipher: PersonalDataCipher
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding

    /// - Throws: ``IdentityError/noSuchAccount``.
    func callAsFunction(
        _ day: CalendarDate, of id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        var account = try await Accounts.lock(id, in: transaction)
        transaction.send(SetBirthDate(account: id, sealed: try cipher.seal(day.text, .birthDate, of: id)))
        let before = account.version
        for role in account.roles where role.kind == .provider {
            let isAsked = role.title.map { onboarding(role.market).providerAges[$0] != nil } ?? false
            guard account.bringsOther(role, needsCheck: isAsked), let after = account.role(like: role),
                after.state != role.state
            else { continue }
            transaction.send(PutRole(account: id, role: after, now: now))
        }
        guard account.version != before else { return }
        transaction.send(UpdateAccount(account: account))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }
}
