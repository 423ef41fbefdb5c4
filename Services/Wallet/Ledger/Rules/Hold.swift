import Foundation

/// Money of a wallet that waits in an account of its own, by command of another service.
///
/// ```
/// open ── captured ──► captured     divided; what no share takes goes back
///   ├──── released ──► released     back to the wallet
///   └──── its time ──► expired      back to the wallet
/// ```
struct Hold: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable { case open, captured, released, expired }

    let id: UUID
    /// Whose wallet it came from.
    let owner: UUID
    let currency: String
    /// Minor units, above zero.
    let amount: Int
    /// The order or other thing that it is for.
    let subject: UUID
    let expiresAt: Date?
    var state: State = .open

    var account: AccountReference { .hold(id, currency) }
    var wallet: AccountReference { .wallet(owner, currency) }
}
