import Contracts
import Foundation
import Messaging
import Postgres

/// Verifies a provider who has proved the contact that his market confirms by, where that is all that the market asks for
/// (``Market/ProviderCheck/confirmation``). An admin may have made the account, by whose word no number is proved.
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
            try account.decide(.verify(title: role.title ?? "", version: nil), in: role.market)
            if let role = account.role(.provider, in: role.market) { verified.append(role) }
        }
        guard !verified.isEmpty else { return }
        transaction.send(UpdateAccount(account: account))
        for role in verified {
            transaction.send(PutRole(account: account.id, role: role, now: now))
            try await TellVerified(deliver: deliver)(account, in: role.market, at: now, in: transaction)
        }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }
}
