public import Foundation
public import Messaging

/// Holds money of a wallet until its division (``CaptureHold``), its return (``ReleaseHold``), or the end of its time.
/// Refused with `insufficient-funds` when the wallet has less; a refused hold stays refused.
public struct PlaceHold: Message {
    public static let name: MessageName = "wallet.hold.place.v1"
    public static let kind = MessageKind.command
    /// An id chosen by the sender; the same for repeats.
    public var hold: UUID
    /// The owner of the wallet.
    public var account: UUID
    /// Above zero.
    public var amount: Money
    /// The order or other thing that the hold is for.
    public var subject: UUID
    /// When the hold is released without a command; nil for a hold that waits for a capture or release.
    public var expiresAt: Date?
    /// The line in the wallet's statement.
    public var note: StatementNote?
    public var aggregate: String { hold.text }

    public init(
        hold: UUID, account: UUID, amount: Money, subject: UUID, expiresAt: Date?, note: StatementNote? = nil
    ) {
        self.hold = hold
        self.account = account
        self.amount = amount
        self.subject = subject
        self.expiresAt = expiresAt
        self.note = note
    }
}

/// Divides a hold among its receivers. The rest goes back to the wallet. The first capture counts: another one, with
/// any shares, gets the same answer and has no effect.
public struct CaptureHold: Message {
    public struct Share: Codable, Hashable, Sendable {
        public var to: LedgerAccount
        /// In minor units of the hold's currency, above zero.
        public var amount: Int

        public init(to: LedgerAccount, amount: Int) {
            self.to = to
            self.amount = amount
        }
    }

    public static let name: MessageName = "wallet.hold.capture.v1"
    public static let kind = MessageKind.command
    public var hold: UUID
    /// The hold's currency.
    public var currency: String
    /// One to a hundred shares; together at most the hold's amount.
    public var shares: [Share]
    public var aggregate: String { hold.text }

    public init(hold: UUID, currency: String, shares: [Share]) {
        self.hold = hold
        self.currency = currency
        self.shares = shares
    }
}

/// Gives the whole hold back to the wallet.
public struct ReleaseHold: Message {
    public static let name: MessageName = "wallet.hold.release.v1"
    public static let kind = MessageKind.command
    public var hold: UUID
    public var aggregate: String { hold.text }

    public init(hold: UUID) { self.hold = hold }
}

/// Moves money between wallets, and from and to the platform. All legs are posted or none. Refused with
/// `insufficient-funds`, finally, when a leg would take a wallet below zero.
public struct PostTransfer: Message {
    public struct Leg: Codable, Hashable, Sendable {
        public var from: LedgerAccount
        public var to: LedgerAccount
        /// In minor units, above zero.
        public var amount: Int

        public init(from: LedgerAccount, to: LedgerAccount, amount: Int) {
            self.from = from
            self.to = to
            self.amount = amount
        }
    }

    public static let name: MessageName = "wallet.transfer.post.v1"
    public static let kind = MessageKind.command
    /// An id chosen by the sender; the same for repeats.
    public var id: UUID
    /// The order or other thing that the transfer is for. Its last byte selects one of the rows that the platform's
    /// account is split into.
    public var subject: UUID
    /// ISO 4217.
    public var currency: String
    /// One to a hundred legs.
    public var legs: [Leg]
    /// The line in the wallets' statements.
    public var note: StatementNote?
    public var aggregate: String { id.text }

    public init(id: UUID, subject: UUID, currency: String, legs: [Leg], note: StatementNote? = nil) {
        self.id = id
        self.subject = subject
        self.currency = currency
        self.legs = legs
        self.note = note
    }
}

/// Posts the opposite of a ``PostTransfer``, once. Refused while the money is not there.
public struct ReverseTransfer: Message {
    public static let name: MessageName = "wallet.transfer.reverse.v1"
    public static let kind = MessageKind.command
    /// The ``PostTransfer/id``.
    public var id: UUID
    public var aggregate: String { id.text }

    public init(id: UUID) { self.id = id }
}
