public import Foundation

/// A waiting order in a round. Times are seconds on any one clock.
public struct RoundOrder: Hashable, Sendable {
    public let id: UUID
    public let customer: UUID
    /// The place to which the provider has to come.
    public let place: GeoPoint
    /// The kind of work, such as `ride`, `ride-xl` or `bike`.
    public let kind: String
    public let requestedAt: Int
    /// The index of the current search radius in the settings: 0 is the first.
    public let stage: Int
    /// Since when this radius is searched.
    public let stageSince: Int
    /// Providers who have declined it, or did not answer an offer.
    public let declined: Set<UUID>
    /// The end of the search that was fixed at its beginning; nil for the settings' ``RoundSettings/searchSeconds``.
    public let searchEndsAt: Int?

    public init(
        id: UUID, customer: UUID, place: GeoPoint, kind: String, requestedAt: Int, stage: Int = 0,
        stageSince: Int? = nil, declined: Set<UUID> = [], searchEndsAt: Int? = nil
    ) {
        self.id = id
        self.customer = customer
        self.place = place
        self.kind = kind
        self.requestedAt = requestedAt
        self.stage = stage
        self.stageSince = stageSince ?? requestedAt
        self.declined = declined
        self.searchEndsAt = searchEndsAt
    }
}
