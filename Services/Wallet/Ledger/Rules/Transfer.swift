import Foundation

/// Moves that happen together, once for each key.
struct Transfer: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case hold, capture, commission, release, topUp
        case cashOut, cashOutReturn, payout, payoutReturn, subscription
        case fine, tip, deposit, depositReturn, depositForfeit
        case refund
        /// A refund to a card was made.
        case refunded
        /// One failed at the payment provider after all: it is in its customer's wallet.
        case refundReturn
        /// A debtor has paid: what waited is its receiver's.
        case debtPaid
        /// Who waited for it gives it back to the debtor.
        case debtCancelled
        /// A top-up goes back to the card by its owner's wish.
        case topUpReturn
        /// A charge's money was taken back at the payment provider, and has come back.
        case dispute, disputeReturn
        /// By command of another service, and its opposite.
        case transfer, reversal
    }

    let id: UUID
    /// What it is, in words that are the same whenever it is tried: `capture:<order>`. Posted once.
    let key: String
    let kind: Kind
    /// The order, the top-up, the cash-out or the subscription's period.
    let subject: UUID
    let currency: String
    let moves: [Move]
    /// A digest of the command that asked for it, so that its id with something else is told from its repeat. Nil for
    /// what is not asked for by command, and where the key says it all.
    var asked: [UInt8]?

    /// - Parameter key: by default what the kind and the subject make.
    init(
        id: UUID, _ kind: Kind, of subject: UUID, currency: String, key: String? = nil, _ moves: [Move?]
    ) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.currency = currency
        self.moves = moves.compactMap { $0 }
        self.key = key ?? TransferKey.make(kind.rawValue, subject)
    }
}
