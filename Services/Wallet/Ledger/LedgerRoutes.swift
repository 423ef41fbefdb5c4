import Foundation
import Hummingbird
import ServiceKit

/// The ledger's sums. It belongs to no market, so it is shown to admins of all of them.
struct LedgerRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("ledger/trial-balance") { _, context in
            try context.caller.require("admin", in: "*")
            return TrialBalanceView(try await LedgerCheck.trialBalance(parts.pool))
        }
    }
}

struct TrialBalanceView: ResponseEncodable, Sendable {
    struct Kind: Encodable, Sendable {
        let kind: String
        let balance: Int
        let accounts: Int
    }

    struct Currency: Encodable, Sendable {
        let currency: String
        /// Of all accounts: zero.
        let sum: Int
        let heldInEscrow: Int
        /// What the payments say is held: the same.
        let openHolds: Int
        let kinds: [Kind]
    }

    let isSound: Bool
    let items: [Currency]

    init(_ check: LedgerCheck) {
        isSound = check.isSound
        items = check.currencies.map { currency in
            Currency(
                currency: currency.currency, sum: currency.sum, heldInEscrow: currency.escrow,
                openHolds: currency.openHolds,
                kinds: currency.kinds.map { Kind(kind: $0.kind, balance: $0.balance, accounts: $0.accounts) })
        }
    }
}
