import Foundation

/// A debt that the platform pays in its debtor's place, so that those who wait for it have their money and the debtor
/// owes nothing more (W8).
struct WriteOff: Hashable, Sendable {
    let id: UUID
    let market: String
    /// The debtor.
    let account: UUID
    let currency: String
    /// Minor units, above zero.
    let amount: Int
    let reason: String
    let by: UUID
    /// The second admin, where one had to agree.
    let approvedBy: UUID?
    let at: Date

    /// The greatest amount of a request, in minor units.
    static let maximum = 1_000_000_000_000

    /// An admin's request.
    struct Wish: Hashable, Sendable, Codable {
        let account: UUID
        let currency: String
        /// Minor units.
        let amount: Int
        let reason: String
    }

    /// Why a debt is not written off.
    enum Refusal: Error, Hashable {
        /// More than the account owes for matters of the market. In minor units.
        case moreThanOwed(Int, currency: String)
        /// Money of the account's card was taken back, and the bank has not decided finally: it may come back.
        case frozen
        /// Together with what waits for a second admin it would be more than the account owes.
        case waits
    }

    /// The maximum that an admin of a market may write off: never more than the wallet lacks, nor than matters of the
    /// market have taken below zero.
    ///
    /// - Parameters:
    ///   - balance: the wallet's balance, in minor units.
    ///   - overdrawn: the sum by which matters of the market took the wallet below zero since it was last not below zero,
    ///     less what the market's admins have written off since.
    static func limit(balance: Int, overdrawn: Int) -> Int { max(0, min(-balance, overdrawn)) }
}
