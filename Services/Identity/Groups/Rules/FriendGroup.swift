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
        /// The same one was taken out or did not want to come, just now or several times.
        case askedBefore
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

/// How often a leader asks the same person, who was taken out or did not want to come.
enum AskingRule {
    static let pauseSeconds: TimeInterval = 86_400
    static let maximum = 3
    /// Then all is forgotten.
    static let keptSeconds: TimeInterval = 366 * 86_400

    static func mayAsk(refused times: Int, last: Date, at now: Date) -> Bool {
        times < maximum && now.timeIntervalSince(last) >= pauseSeconds
    }
}

/// When somebody has strayed from the leader, and when that one is back.
struct StrayRule: Sendable, Equatable {
    enum Outcome: Equatable, Sendable {
        /// - Parameter tells: false where it was told a short time ago; it is noted.
        case strayed(metres: Int, tells: Bool)
        case returned
        case unchanged
    }

    /// An older place says nothing of where somebody is now.
    static let freshSeconds: TimeInterval = 300
    /// Somebody is back a little inside the radius: at its edge phones would tell again and again.
    static let returnShare = 0.8
    /// Whoever comes and goes, or whose place jumps, is told of once in this time.
    static let pauseSeconds: TimeInterval = 900

    let radius: Int
    /// Since when it is noted.
    let strayedAt: Date?
    /// When it was told last, of any time.
    let toldAt: Date?

    func outcome(leader: SharedPlace, member: SharedPlace, at now: Date) -> Outcome {
        let metres = GeoPoint(latitude: leader.latitude, longitude: leader.longitude)
            .metres(to: GeoPoint(latitude: member.latitude, longitude: member.longitude))
        if strayedAt != nil, metres <= Double(radius) * Self.returnShare { return .returned }
        guard metres > Double(radius) else { return .unchanged }
        let isPaused = toldAt.map { now.timeIntervalSince($0) < Self.pauseSeconds } ?? false
        let distance = Int(metres.rounded())
        guard let strayedAt else { return .strayed(metres: distance, tells: !isPaused) }
        let isTold = toldAt.map { $0 >= strayedAt } ?? false
        return isTold || isPaused ? .unchanged : .strayed(metres: distance, tells: true)
    }
}
