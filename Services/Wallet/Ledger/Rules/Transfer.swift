import Foundation

/// Moves that are posted together, once per key.
struct Transfer: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case hold, capture, commission, release, topUp
        case cashOut, cashOutReturn, payout, payoutReturn, subscription
        case fine, tip, deposit, depositReturn, depositForfeit
        case refund
        /// A refund to a card was made.
        case refunded
        /// A refund failed at the payment provider; its amount goes to the customer's wallet.
        case refundReturn
        /// A debtor has paid; the receiver gets the waiting money.
        case debtPaid
        /// A receiver gives up waiting money in favour of the debtor.
        case debtCancelled
        /// The platform pays what a debtor owes.
        case writeOff
        /// The owner returns the rest of a top-up to its card.
        case topUpReturn
        /// A charge's money was taken back at the payment provider, or has come back.
        case dispute, disputeReturn
        /// A transfer by command of another service, and its reversal.
        case transfer, reversal
    }

    let id: UUID
    /// A deterministic text, the same for every try: `capture:<order>`. Posted once.
    let key: String
    let kind: Kind
    /// The order, top-up, cash-out, subscription period or other subject.
    let subject: UUID
    let currency: String
    let moves: [Move]
    /// The digest of the command, which tells a repeat from another request with the same id. Nil for transfers without
    /// a command, and where the key suffices.
    var asked: [UInt8]?

    /// - Parameter key: defaults to the kind and the subject.
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
