import Foundation

/// A request of another service to the ledger. Each has one outcome, however often it is repeated.
enum LedgerCommand: Hashable, Sendable {
    /// An amount of a hold, and its receiver.
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

    /// A transfer that was posted by a command and is to be reversed.
    struct Original: Hashable, Sendable {
        let subject: UUID
        let currency: String
        let legs: [Leg]
    }

    case place(Hold)
    /// The part that no share takes goes back to the wallet.
    case capture(hold: UUID, shares: [Share])
    case release(hold: UUID)
    /// The hold's `expiresAt` has passed.
    case expire(hold: UUID)
    case post(id: UUID, subject: UUID, currency: String, legs: [Leg])
    /// Posts the opposite of a transfer posted by ``post(id:subject:currency:legs:)``, once.
    case reverse(original: UUID)

    /// The maximum number of legs of a transfer, or of shares of a hold.
    static let legLimit = 100
    /// The maximum amount of one leg in minor units, so that sums cannot overflow.
    static let amountLimit = 1_000_000_000_000

    /// The unique key of the transfer that the command makes.
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

    /// The key under which a hold is placed or refused.
    static func placeKey(of hold: UUID) -> String { TransferKey.make("hold.place", hold) }

    /// The hold that must be read before the decision.
    var hold: UUID? {
        switch self {
        case .capture(let hold, _), .release(let hold), .expire(let hold): hold
        case .place, .post, .reverse: nil
        }
    }

    /// The key of the transfer that must be read before the decision.
    var originalKey: String? {
        if case .reverse(let original) = self { TransferKey.make("transfer.post", original) } else { nil }
    }

    /// The accounts that the command itself names.
    var accounts: [AccountReference] {
        switch self {
        case .place(let hold): [hold.wallet, hold.account]
        case .capture(_, let shares): shares.map(\.to)
        case .release, .expire, .reverse: []
        case .post(_, _, _, let legs): legs.flatMap { [$0.from, $0.to] }
        }
    }

    /// Whether the command is well-formed, whatever the ledger holds.
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

/// The result of a command.
enum LedgerOutcome: Hashable, Sendable {
    /// The posting transfer; the same for every repeat.
    case posted(transfer: UUID)
    case refused(LedgerRefusal)
}

/// Why a command is refused. The raw value is on the wire.
enum LedgerRefusal: String, Hashable, Sendable, CaseIterable {
    /// A debit would take an account below its floor.
    case insufficientFunds = "insufficient-funds"
    case unknownHold = "unknown-hold"
    /// The hold was captured, was released or has expired.
    case holdEnded = "hold-ended"
    /// The shares exceed the held amount.
    case exceedsHold = "exceeds-hold"
    case unknownTransfer = "unknown-transfer"
    /// The id was used for a different request.
    case keyTaken = "key-taken"
    /// An amount, a currency or the number of legs is out of range, an account's owner does not fit its kind, or a
    /// balance would overflow.
    case invalid

    init(_ error: LedgerError) {
        self =
            switch error {
            case .insufficientFunds: .insufficientFunds
            case .overflow: .invalid
            }
    }
}
