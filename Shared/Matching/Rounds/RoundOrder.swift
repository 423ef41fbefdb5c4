public import Foundation

/// An order that waits for somebody, as a round sees it. Times are seconds on one clock, whichever it is.
public struct RoundOrder: Hashable, Sendable {
    public let id: UUID
    public let customer: UUID
    /// Where the provider has to come.
    public let place: GeoPoint
    /// What has to be done, such as `ride`, `ride-xl` or `bike`.
    public let kind: String
    public let requestedAt: Int
    /// Which of the settings' radii it is searched within: 0 is the first.
    public let stage: Int
    /// Since when.
    public let stageSince: Int
    /// Who has said no to it, or let an offer of it pass.
    public let declined: Set<UUID>
    /// When nobody is searched any more, as was said when it began; nil is after the settings' ``RoundSettings/searchSeconds``.
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
