import Foundation

/// What others may ask of the ledger. Each has one outcome, however often it is asked.
enum LedgerCommand: Hashable, Sendable {
    /// An amount of a hold or a transfer, and where it goes.
    struct Share: Hashable, Sendable {
        let to: AccountReference
        /// Minor units.
        let amount: Int
    }

    struct Leg: Hashable, Sendable {
        let from: AccountReference
        let to: AccountReference
        /// Minor units.
        let amount: Int
    }

    /// What was posted by a command before and is asked to go back.
    struct Original: Hashable, Sendable {
        let subject: UUID
        let currency: String
        let legs: [Leg]
    }

    case place(Hold)
    /// What the shares leave goes back to the wallet.
    case capture(hold: UUID, shares: [Share])
    case release(hold: UUID)
    /// Its time is over.
    case expire(hold: UUID)
    case post(id: UUID, subject: UUID, currency: String, legs: [Leg])
    /// The opposite of a transfer that was posted by ``post(id:subject:currency:legs:)``, once.
    case reverse(original: UUID)

    /// Legs of a transfer, and shares of a hold, at most.
    static let legLimit = 100
    /// Minor units that one leg moves at most, so that sums never overflow.
    static let amountLimit = 1_000_000_000_000

    /// The key of the transfer that it makes. Posted once.
    var key: String {
        switch self {
        case .place(let hold): Self.placeKey(of: hold.id)
        case .capture(let hold, _): TransferKey.make("hold.capture", hold)
        case .release(let hold): TransferKey.make("hold.release", hold)
        case .expire(let hold): TransferKey.make("hold.expire", hold)
        case .post(let id, _, _, _): TransferKey.make("transfer.post", id)
        case .reverse(let original): TransferKey.make("transfer.reverse", original)
        }
    }

    /// Under which a hold is placed, or is refused.
    static func placeKey(of hold: UUID) -> String { TransferKey.make("hold.place", hold) }

    /// The hold that has to be known to decide.
    var hold: UUID? {
        switch self {
        case .capture(let hold, _), .release(let hold), .expire(let hold): hold
        case .place, .post, .reverse: nil
        }
    }

    /// The key of the transfer that has to be known to decide.
    var originalKey: String? {
        if case .reverse(let original) = self { TransferKey.make("transfer.post", original) } else { nil }
    }

    /// The accounts that it names itself.
    var accounts: [AccountReference] {
        switch self {
        case .place(let hold): [hold.wallet, hold.account]
        case .capture(_, let shares): shares.map(\.to)
        case .release, .expire, .reverse: []
        case .post(_, _, _, let legs): legs.flatMap { [$0.from, $0.to] }
        }
    }

    /// Whether it makes sense at all, whatever the ledger holds.
    var isValid: Bool {
        switch self {
        case .place(let hold):
            Self.isAmount(hold.amount) && Self.isCurrency(hold.currency)
        case .capture(_, let shares):
            (1...Self.legLimit).contains(shares.count)
                && shares.allSatisfy { Self.isAmount($0.amount) && Self.isCurrency($0.to.currency) }
        case .post(_, _, let currency, let legs):
            (1...Self.legLimit).contains(legs.count) && Self.isCurrency(currency)
                && legs.allSatisfy { leg in
                    Self.isAmount(leg.amount) && leg.from != leg.to && leg.from.currency == currency
                        && leg.to.currency == currency
                }
        case .release, .expire, .reverse: true
        }
    }

    private static func isAmount(_ amount: Int) -> Bool { (1...amountLimit).contains(amount) }

    private static func isCurrency(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

/// What became of a command.
enum LedgerOutcome: Hashable, Sendable {
    /// By this transfer; the same whenever the command is repeated.
    case posted(transfer: UUID)
    case refused(LedgerRefusal)
}

/// Why a command is refused. Its word is on the wire.
enum LedgerRefusal: String, Hashable, Sendable, CaseIterable {
    /// A debit would take an account below its floor.
    case insufficientFunds = "insufficient-funds"
    case unknownHold = "unknown-hold"
    /// It was captured, released or has expired.
    case holdEnded = "hold-ended"
    /// The shares are more than what is held.
    case exceedsHold = "exceeds-hold"
    case unknownTransfer = "unknown-transfer"
    /// The id is that of something else.
    case keyTaken = "key-taken"
    /// An amount, a currency or the number of legs is out of its range, an account's owner does not fit its kind, or a
    /// balance would be more than the ledger can write.
    case invalid

    init(_ error: LedgerError) {
        self =
            switch error {
            case .insufficientFunds: .insufficientFunds
            case .overflow: .invalid
            }
    }
}
