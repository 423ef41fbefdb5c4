public import Foundation
public import Messaging

/// The kind of command to the ledger.
public enum LedgerCommandKind: String, Codable, Sendable, CaseIterable {
    case place, capture, release, post, reverse
    /// No command: a hold's time is over.
    case expire
}

/// A command was performed. Its repeats are answered by the same ``transfer``.
public struct TransferPosted: Message {
    public static let name: MessageName = "wallet.transfer.posted.v1"
    public var command: LedgerCommandKind
    /// The hold or transfer that the command named.
    public var id: UUID
    /// The ledger's own transfer.
    public var transfer: UUID
    public var at: Date
    public var aggregate: String { id.text }

    public init(command: LedgerCommandKind, id: UUID, transfer: UUID, at: Date) {
        self.command = command
        self.id = id
        self.transfer = transfer
        self.at = at
    }
}

/// A command was refused and changed nothing.
public struct TransferRefused: Message {
    public static let name: MessageName = "wallet.transfer.refused.v1"
    public var command: LedgerCommandKind
    /// The hold or transfer that the command named.
    public var id: UUID
    /// `insufficient-funds`, `unknown-hold`, `hold-ended`, `exceeds-hold`, `unknown-transfer`, `key-taken`, `invalid`.
    public var reason: String
    public var at: Date
    public var aggregate: String { id.text }

    public init(command: LedgerCommandKind, id: UUID, reason: String, at: Date) {
        self.command = command
        self.id = id
        self.reason = reason
        self.at = at
    }
}
