import Foundation

/// A place that its owner orders to, in one market (I8).
struct SavedPlace: Hashable, Sendable {
    /// Of one account, in all markets.
    static let maximumPlaces = 50

    enum Label: String, Codable, Sendable, CaseIterable { case home, work, other }

    /// What and where it is; encrypted as a whole.
    struct Content: Codable, Hashable, Sendable {
        let label: Label
        let name: String
        let description: String?
        /// As a person reads it.
        let address: String?
        /// Degrees of WGS 84.
        let latitude: Double
        let longitude: Double
    }

    let id: UUID
    let market: String
    /// Grows with each change.
    let version: Int
    let content: Content
    let createdAt: Date
    let changedAt: Date
}
