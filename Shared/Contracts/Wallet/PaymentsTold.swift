public import Foundation
public import Messaging

/// Payments of orders as they stand, told again in the order of the orders' ids. Those that nobody has tried to make are
/// not told.
public struct PaymentsTold: Message {
    public static let name: MessageName = "wallet.payments.told.v1"

    public struct Told: Codable, Hashable, Sendable {
        public var payment: PaymentSnapshot
        /// When it was held, captured or released for the first time. Of an older payment that was held it may be unknown.
        public var heldAt: Date?
        public var capturedAt: Date?
        public var releasedAt: Date?
        /// As ``PaymentCaptured`` has them; of a captured one.
        public var providerShare: Money?
        public var platformShare: Money?

        public init(
            payment: PaymentSnapshot, heldAt: Date?, capturedAt: Date?, releasedAt: Date?, providerShare: Money?,
            platformShare: Money?
        ) {
            self.payment = payment
            self.heldAt = heldAt
            self.capturedAt = capturedAt
            self.releasedAt = releasedAt
            self.providerShare = providerShare
            self.platformShare = platformShare
        }
    }

    /// Of orders.
    public var range: ToldRange
    public var payments: [Told]
    public var aggregate: String { "payments \(range.after?.text ?? "")" }

    public init(range: ToldRange, payments: [Told]) {
        self.range = range
        self.payments = payments
    }
}
