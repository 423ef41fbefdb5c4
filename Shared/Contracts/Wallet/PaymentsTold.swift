public import Foundation
public import Messaging

/// Republishes the current payments of orders in the order of the orders' ids. Payments that were never tried are left
/// out.
public struct PaymentsTold: Message {
    public static let name: MessageName = "wallet.payments.told.v1"

    public struct Told: Codable, Hashable, Sendable {
        public var payment: PaymentSnapshot
        /// The first time of the hold, capture or release. It may be unknown for an older payment.
        public var heldAt: Date?
        public var capturedAt: Date?
        public var releasedAt: Date?
        /// As in ``PaymentCaptured``, for a captured payment.
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

    /// A range of orders.
    public var range: ToldRange
    public var payments: [Told]
    public var aggregate: String { "payments \(range.after?.text ?? "")" }

    public init(range: ToldRange, payments: [Told]) {
        self.range = range
        self.payments = payments
    }
}
