public import Foundation

/// Places that people share with their friends, as an identity process has just received and kept them.
///
/// Not a business event: it is published without the outbox to the transient fanout ``exchange`` and may be lost; the
/// newest place counts, and whoever reads the list of friends sees the kept one. The body is JSON, like that of messages.
public struct FriendPlaces: Codable, Sendable {
    public static let exchange = "identity.places"

    public struct Place: Codable, Sendable, Equatable {
        /// Whose place it is.
        public var account: UUID
        /// Nil when it is shown no more.
        public var place: Coordinate?
        public var at: Date
        /// When it is shown no more by itself; nil with no place.
        public var expiresAt: Date?
        /// Those who may see it now.
        public var friends: [UUID]

        public init(account: UUID, place: Coordinate?, at: Date, expiresAt: Date?, friends: [UUID]) {
            self.account = account
            self.place = place
            self.at = at
            self.expiresAt = expiresAt
            self.friends = friends
        }
    }

    public var places: [Place]

    public init(places: [Place]) { self.places = places }
}
