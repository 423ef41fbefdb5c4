import Foundation

/// Money of a wallet that waits in an account of its own by command of another service.
///
/// ```
/// open ── captured ──► captured     divided; the rest goes back to the wallet
///   ├──── released ──► released     back to the wallet
///   └──── expired ───► expired      back to the wallet
/// ```
struct Hold: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable { case open, captured, released, expired }

    let id: UUID
    /// The account whose wallet the money came from.
    let owner: UUID
    let currency: String
    /// Minor units, above zero.
    let amount: Int
    /// The order or other subject that the hold is for.
    let subject: UUID
    let expiresAt: Date?
    var state: State = .open

    var account: AccountReference { .hold(id, currency) }
    var wallet: AccountReference { .wallet(owner, currency) }
}
