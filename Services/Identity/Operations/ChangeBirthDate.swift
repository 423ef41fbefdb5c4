import Contracts
import Foundation
import Messaging
import Postgres

/// Another date of birth. A provider who was verified where an age is asked for waits again.
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
            guard let title = role.title, onboarding(role.market).providerAges[title] != nil,
                account.waitAgain(in: role.market), let waiting = account.role(.provider, in: role.market)
            else { continue }
            transaction.send(PutRole(account: id, role: waiting, now: now))
        }
        guard account.version != before else { return }
        transaction.send(UpdateAccount(account: account))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }
}
