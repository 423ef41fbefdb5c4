import Foundation
import Matching

/// Friends who go together, one of them as the leader (H5). Who sees whose place stays a matter of friendship: all are
/// friends of the leader's.
struct FriendGroup: Sendable, Equatable {
    enum Refusal: Error, Equatable {
        /// As many as a group may have.
        case full
        /// One of the two is in as many groups as one may be.
        case tooMany
    }

    /// With the leader and those who are asked.
    static let maximumMembers = 50
    /// Of one account, with those that it is asked to join.
    static let maximumGroups = 50
    static let titleLength = 60
    /// In metres.
    static let radius = 50...50_000

    let id: UUID
    let title: String
    let leader: UUID
    let radius: Int?
    let version: Int
    let lastNumber: Int
}

/// When somebody has strayed from the leader, and when that one is back.
struct StrayRule: Sendable, Equatable {
    enum Outcome: Equatable, Sendable {
        case strayed(metres: Int)
        case returned
        case unchanged
    }

    /// An older place says nothing of where somebody is now.
    static let freshSeconds: TimeInterval = 300
    /// Somebody is back a little inside the radius: at its edge phones would tell again and again.
    static let returnShare = 0.8

    let radius: Int
    let hasStrayed: Bool

    func outcome(leader: SharedPlace, member: SharedPlace) -> Outcome {
        let metres = GeoPoint(latitude: leader.latitude, longitude: leader.longitude)
            .metres(to: GeoPoint(latitude: member.latitude, longitude: member.longitude))
        if !hasStrayed, metres > Double(radius) { return .strayed(metres: Int(metres.rounded())) }
        if hasStrayed, metres <= Double(radius) * Self.returnShare { return .returned }
        return .unchanged
    }
}
