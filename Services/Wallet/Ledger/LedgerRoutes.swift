import Foundation
import Hummingbird
import ServiceKit

/// Serves the ledger's sums. The ledger belongs to no market, so only admins of all markets may read them.
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
        /// The sum of all accounts; zero when sound.
        let sum: Int
        let heldInEscrow: Int
        /// The sum that the payments say is held; equals `heldInEscrow` when sound.
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
