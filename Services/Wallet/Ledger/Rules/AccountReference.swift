import Foundation

/// Names an account of the ledger. The account is opened when it is first posted to.
struct AccountReference: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// What a person may spend, or, below zero, owes the platform.
        case wallet
        /// What is held for one order. One account for each order, so that no two orders wait for each other.
        case escrow
        /// What one hold keeps that another service has asked for. One account for each.
        case hold
        /// What a provider has left with the platform for one order.
        case deposit
        /// What has been taken for one refund to a card, until the payment provider has made it.
        case refund
        /// What the platform has earned.
        case platform
        /// The other side of the payment provider: below zero by what has come in and not gone out.
        case external
        /// What is held for one cash-out until it is decided and paid.
        case cashOut
        /// What the platform pays of prices, by promo codes: below zero by what it has given.
        case promotion
        /// What one overdraft is to bring somebody, until its debtor has paid. One account for each: owned by the transfer,
        /// numbered within it by the shard.
        case debt
    }

    /// The platform's and the payment provider's accounts are part of nearly every order: each is this many rows.
    static let shards = 16
    /// The owner of accounts that belong to nobody.
    static let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    let kind: Kind
    let owner: UUID
    /// ISO 4217.
    let currency: String
    let shard: Int

    static func wallet(_ account: UUID, _ currency: String) -> AccountReference {
        AccountReference(kind: .wallet, owner: account, currency: currency, shard: 0)
    }

    static func escrow(_ order: UUID, _ currency: String) -> AccountReference {
        AccountReference(kind: .escrow, owner: order, currency: currency, shard: 0)
    }

    static func hold(_ hold: UUID, _ currency: String) -> AccountReference {
        AccountReference(kind: .hold, owner: hold, currency: currency, shard: 0)
    }

    static func deposit(_ order: UUID, _ currency: String) -> AccountReference {
        AccountReference(kind: .deposit, owner: order, currency: currency, shard: 0)
    }

    static func refund(_ refund: UUID, _ currency: String) -> AccountReference {
        AccountReference(kind: .refund, owner: refund, currency: currency, shard: 0)
    }

    /// - Parameter subject: the order or top-up; the same one always meets the same shard.
    static func platform(_ currency: String, for subject: UUID) -> AccountReference {
        AccountReference(kind: .platform, owner: nobody, currency: currency, shard: shard(of: subject))
    }

    /// - Parameter subject: the order or top-up; the same one always meets the same shard.
    static func external(_ currency: String, for subject: UUID) -> AccountReference {
        AccountReference(kind: .external, owner: nobody, currency: currency, shard: shard(of: subject))
    }

    /// - Parameter request: the cash-out.
    static func cashOut(_ request: UUID, _ currency: String) -> AccountReference {
        AccountReference(kind: .cashOut, owner: request, currency: currency, shard: 0)
    }

    /// - Parameter subject: the order; the same one always meets the same shard.
    static func promotion(_ currency: String, for subject: UUID) -> AccountReference {
        AccountReference(kind: .promotion, owner: nobody, currency: currency, shard: shard(of: subject))
    }

    /// - Parameters:
    ///   - transfer: that which overdrew.
    ///   - place: of the overdraft in it, from 0 on.
    static func debt(_ transfer: UUID, _ currency: String, place: Int) -> AccountReference {
        AccountReference(kind: .debt, owner: transfer, currency: currency, shard: place)
    }

    /// What no debit may take the balance below, unless the move says that it overdraws. Nil is no limit.
    var floor: Int? {
        switch kind {
        case .wallet, .escrow, .hold, .deposit, .refund, .cashOut, .debt: 0
        case .platform, .external, .promotion: nil
        }
    }

    /// The last byte of a UUID version 7 is random.
    private static func shard(of subject: UUID) -> Int { Int(subject.uuid.15) % shards }

    /// By the owner and the shard alone, which tell nearly all accounts apart: a set of transfers looks each up many times.
    func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(shard)
    }
}
