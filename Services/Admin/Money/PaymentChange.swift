import Contracts
import Foundation

/// The content of one payment event, or of several in order of arrival.
struct PaymentChange: Sendable {
    /// The newest snapshot; the first one if several have the same version.
    private(set) var newest: PaymentSnapshot
    /// From the single event that has it; the first such event wins.
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

    /// Adds the content of a later event.
    mutating func add(_ later: PaymentChange) {
        if newest.version < later.newest.version { newest = later.newest }
        heldAt = heldAt ?? later.heldAt
        capturedAt = capturedAt ?? later.capturedAt
        releasedAt = releasedAt ?? later.releasedAt
        providerShare = providerShare ?? later.providerShare
        platformShare = platformShare ?? later.platformShare
    }
}
