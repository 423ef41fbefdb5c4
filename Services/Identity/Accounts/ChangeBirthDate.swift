import Contracts
import Foundation
import Messaging
import Postgres

/// Another date of birth. A provider who was verified where an age is asked for waits again, and an admin who was shown the
/// old one decides nothing by it.
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
            guard account.bringsOther(in: role.market, needsCheck: isAsked),
                let after = account.role(.provider, in: role.market), after.state != role.state
            else { continue }
            transaction.send(PutRole(account: id, role: after, now: now))
        }
        guard account.version != before else { return }
        transaction.send(UpdateAccount(account: account))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }
}
