import Contracts
import Foundation
import Messaging
import Postgres

/// Verifies a waiting provider who has proved the contact by which the market confirms people, where the market
/// requires nothing else (``Market/ProviderCheck/confirmation``). This is needed for accounts that an admin made, whose
/// number is not proved at first.
struct VerifyByContact: Sendable {
    let deliver: RequestDelivery
    let documents: ProviderDocuments
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding

    func callAsFunction(
        _ proved: NewContact.Kind, of known: Account, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        var account = known
        var verified: [Role] = []
        for role in known.roles where role.kind == .provider && role.state == .waiting {
            let rules = onboarding(role.market)
            guard rules.providerCheck == .confirmation, rules.confirmation == (proved == .email ? .email : .sms),
                try await transaction.first(HasLeftMarket(account: account.id, market: role.market)) != true,
                try await documents.missing(
                    of: account.id, title: role.title, in: role.market, at: now, transaction
                ).isEmpty
            else { continue }
            verified.append(try account.decide(.verify(title: role.title ?? "", version: nil), in: role.market))
        }
        guard !verified.isEmpty else { return }
        transaction.send(UpdateAccount(account: account))
        for role in verified {
            transaction.send(PutRole(account: account.id, role: role, now: now))
            try await NotifyVerified(deliver: deliver)(
                account, in: role.market, title: role.title, at: now, in: transaction)
        }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }
}
