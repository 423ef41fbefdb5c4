import Messaging
import ServiceKit

extension Feature {
    /// A transaction that posts may wait for one of these deadlines (`wake_fines` in the migrations), so none of them waits for
    /// the ledger.
    static func fines(_ parts: WalletParts) -> Feature {
        Feature(
            "fines",
            routes: {
                MarketFineRoutes(parts: parts).add(to: $0.signedIn)
                FineRoutes(parts: parts).add(to: $0.signedIn)
            },
            deadlines: [
                CheckFines.kind: { try await CheckFines.fire($0, at: $0.now(by: parts.clock), in: $1) },
                CheckFines.paidKind: { try await CheckFines.fire($0, at: $0.now(by: parts.clock), in: $1) },
            ]
        )
    }
}
