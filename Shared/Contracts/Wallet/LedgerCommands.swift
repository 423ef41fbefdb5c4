public import Foundation
public import Messaging

/// Lets money of a wallet wait: for its division (``CaptureHold``), its return (``ReleaseHold``), or the end of its time.
/// Refused with `insufficient-funds` when the wallet has less; a hold that was refused stays refused.
public struct PlaceHold: Message {
    public static let name: MessageName = "wallet.hold.place.v1"
    public static let kind = MessageKind.command
    /// Chosen by who asks; the same whenever it is asked again.
    public var hold: UUID
    /// Whose wallet.
    public var account: UUID
    /// Above zero.
    public var amount: Money
    /// The order or other thing that it is for.
    public var subject: UUID
    /// When it goes back by itself; without it, it waits until it is captured or released.
    public var expiresAt: Date?
    /// How statements tell of it.
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

/// Divides what is held. What the shares leave goes back to the wallet. The first capture counts: another one, with
/// whatever shares, has the same answer and no effect.
public struct CaptureHold: Message {
    public struct Share: Codable, Hashable, Sendable {
        public var to: LedgerAccount
        /// Minor units of the hold's currency, above zero.
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
    /// One to a hundred; together not more than is held.
    public var shares: [Share]
    public var aggregate: String { hold.text }

    public init(hold: UUID, currency: String, shares: [Share]) {
        self.hold = hold
        self.currency = currency
        self.shares = shares
    }
}

/// Gives all that is held back to the wallet.
public struct ReleaseHold: Message {
    public static let name: MessageName = "wallet.hold.release.v1"
    public static let kind = MessageKind.command
    public var hold: UUID
    public var aggregate: String { hold.text }

    public init(hold: UUID) { self.hold = hold }
}

/// Moves money between wallets, and from and to the platform. All legs or none; refused with `insufficient-funds` when
/// one of them would take a wallet below zero, and then for good.
public struct PostTransfer: Message {
    public struct Leg: Codable, Hashable, Sendable {
        public var from: LedgerAccount
        public var to: LedgerAccount
        /// Minor units, above zero.
        public var amount: Int

        public init(from: LedgerAccount, to: LedgerAccount, amount: Int) {
            self.from = from
            self.to = to
            self.amount = amount
        }
    }

    public static let name: MessageName = "wallet.transfer.post.v1"
    public static let kind = MessageKind.command
    /// Chosen by who asks; the same whenever it is asked again.
    public var id: UUID
    /// The order or other thing that it is for. Its last byte says which of the platform's rows it meets.
    public var subject: UUID
    /// ISO 4217.
    public var currency: String
    /// One to a hundred.
    public var legs: [Leg]
    /// How statements tell of it.
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

/// Posts the opposite of what a ``PostTransfer`` has posted, once. Refused while the money is not there.
public struct ReverseTransfer: Message {
    public static let name: MessageName = "wallet.transfer.reverse.v1"
    public static let kind = MessageKind.command
    /// The ``PostTransfer/id``.
    public var id: UUID
    public var aggregate: String { id.text }

    public init(id: UUID) { self.id = id }
}
