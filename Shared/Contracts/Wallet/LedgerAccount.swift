public import Foundation

/// An account of the wallet's ledger that other services may name.
public struct LedgerAccount: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A person's wallet.
        case wallet
        /// The platform's earnings; it has no owner.
        case platform
    }

    public var kind: Kind
    /// The person. Nil for the platform.
    public var owner: UUID?

    public init(kind: Kind, owner: UUID?) {
        self.kind = kind
        self.owner = owner
    }

    public static func wallet(_ owner: UUID) -> LedgerAccount { LedgerAccount(kind: .wallet, owner: owner) }
    public static let platform = LedgerAccount(kind: .platform, owner: nil)
}
