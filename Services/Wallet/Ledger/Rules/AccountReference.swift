import Foundation

/// Identifies an account of the ledger. An account is opened when it is first posted to.
struct AccountReference: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// The money that a person may spend; when negative, what the person owes.
        case wallet
        /// The money held for one order. One account per order, so that orders do not wait for each other.
        case escrow
        /// The money kept by one hold that another service placed. One account per hold.
        case hold
        /// The deposit that a provider has left with the platform for one order.
        case deposit
        /// The money taken for one refund to a card, until the payment provider has made the refund.
        case refund
        /// The platform's earnings.
        case platform
        /// The counterpart of the payment provider: minus what has come in and not gone out.
        case external
        /// The money held for one cash-out until it is decided and paid.
        case cashOut
        /// The discounts that the platform pays for promo codes, as a negative balance.
        case promotion
        /// The part of one overdraft that its receiver gets when the debtor has paid. One account per overdraft: the
        /// owner is the transfer, the shard is the overdraft's number within it.
        case debt
        /// The cash that the markets' desks have taken, as a negative balance.
        case desk
    }

    /// The number of rows per currency for platform, external, promotion and desk accounts, since nearly every order touches
    /// them.
    static let shards = 16
    /// The owner of accounts that belong to no person, order or other subject.
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

    /// - Parameter subject: the order or top-up; it decides the shard.
    static func platform(_ currency: String, for subject: UUID) -> AccountReference {
        AccountReference(kind: .platform, owner: nobody, currency: currency, shard: shard(of: subject))
    }

    /// - Parameter subject: the order or top-up; it decides the shard.
    static func external(_ currency: String, for subject: UUID) -> AccountReference {
        AccountReference(kind: .external, owner: nobody, currency: currency, shard: shard(of: subject))
    }

    /// - Parameter request: the cash-out.
    static func cashOut(_ request: UUID, _ currency: String) -> AccountReference {
        AccountReference(kind: .cashOut, owner: request, currency: currency, shard: 0)
    }

    /// - Parameter subject: the order; it decides the shard.
    static func promotion(_ currency: String, for subject: UUID) -> AccountReference {
        AccountReference(kind: .promotion, owner: nobody, currency: currency, shard: shard(of: subject))
    }

    /// - Parameter subject: the order; it decides the shard.
    static func desk(_ currency: String, for subject: UUID) -> AccountReference {
        AccountReference(kind: .desk, owner: nobody, currency: currency, shard: shard(of: subject))
    }

    /// - Parameters:
    ///   - transfer: the transfer that overdrew.
    ///   - place: the overdraft's index within the transfer, from 0.
    static func debt(_ transfer: UUID, _ currency: String, place: Int) -> AccountReference {
        AccountReference(kind: .debt, owner: transfer, currency: currency, shard: place)
    }

    /// The balance that no debit may go below, unless the move overdraws. Nil means no limit.
    var floor: Int? {
        switch kind {
        case .wallet, .escrow, .hold, .deposit, .refund, .cashOut, .debt: 0
        case .platform, .external, .promotion, .desk: nil
        }
    }

    /// The last byte of a UUID version 7 is random.
    private static func shard(of subject: UUID) -> Int { Int(subject.uuid.15) % shards }

    /// Hashes owner and shard alone: they tell nearly all accounts apart, and a set looks up each account many times.
    func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(shard)
    }
}
