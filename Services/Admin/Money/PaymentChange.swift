import Contracts
import Foundation

/// What one event of an order's payment tells, or several in the order in which they came.
struct PaymentChange: Sendable {
    /// Of several of one version the one that came first.
    private(set) var newest: PaymentSnapshot
    /// What only one event of a payment tells; the first that does stands.
    private(set) var heldAt: Date?
    private(set) var capturedAt: Date?
    private(set) var releasedAt: Date?
    private(set) var providerShare: Int?
    private(set) var platformShare: Int?

    init(_ event: PaymentHeld) {
        newest = event.payment
        heldAt = event.at
    }

    init(_ event: PaymentRefused) { newest = event.payment }

    init(_ event: PaymentCaptured) {
        newest = event.payment
        capturedAt = event.at
        providerShare = event.providerShare.amount
        platformShare = event.platformShare.amount
    }

    init(_ event: PaymentReleased) {
        newest = event.payment
        releasedAt = event.at
    }

    /// Takes in what came after.
    mutating func add(_ later: PaymentChange) {
        if newest.version < later.newest.version { newest = later.newest }
        heldAt = heldAt ?? later.heldAt
        capturedAt = capturedAt ?? later.capturedAt
        releasedAt = releasedAt ?? later.releasedAt
        providerShare = providerShare ?? later.providerShare
        platformShare = platformShare ?? later.platformShare
    }
}
