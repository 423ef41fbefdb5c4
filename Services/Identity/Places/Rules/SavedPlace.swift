import Foundation

/// A place to which its owner orders, in one market (I8).
struct SavedPlace: Hashable, Sendable {
    /// Maximum of one account, in all markets together.
    static let maximumPlaces = 50

    enum Label: String, Codable, Sendable, CaseIterable { case home, work, other }

    /// Name and position of the place; encrypted as a whole.
    struct Content: Codable, Hashable, Sendable {
        let label: Label
        let name: String
        let description: String?
        /// The address as text.
        let address: String?
        /// Degrees in WGS 84.
        let latitude: Double
        let longitude: Double
        /// Whether its owner wants it at the top of lists; nil in older ones, which are not.
        var isFavourite: Bool?
    }

    let id: UUID
    let market: String
    /// Grows with each change.
    let version: Int
    let content: Content
    let createdAt: Date
    let changedAt: Date
}
