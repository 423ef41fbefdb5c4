import Contracts
import Phones

/// What the walk tells: an order of each market, from sign-up to payout; and pilgrims, who order nothing.
enum Story: String, CaseIterable, Sendable {
    case visit = "a nurse comes home, in Riyadh"
    case careVisit = "a care partner is sent, in Regina"
    case parcel = "a parcel crosses Gothenburg"
    case ride = "somebody is driven through Perth"
    case meal = "a meal is cooked and brought"
    case pilgrims = "two pilgrims find each other, in Makkah"

    var market: Market {
        switch self {
        case .visit: .assef
        case .careVisit: .edencare
        case .parcel: .carrepsa
        case .ride, .meal: .btnc
        case .pilgrims: .hajji
        }
    }

    /// Pilgrims pay nothing.
    var movesMoney: Bool { self != .pilgrims }

    /// Nothing else may move money of the market's currency meanwhile.
    /// - Parameters:
    ///   - people: gets everybody of the story.
    ///   - tell: gets each line.
    func walk(
        _ town: Newcomer.Town, desk: AdminDesk, people: Acquaintances, tell: @escaping @Sendable (String) -> Void
    ) async throws {
        switch self {
        case .visit: try await Visit(network: desk.phone.network, desk: desk, people: people, tell: tell).walk()
        case .careVisit: try await CareVisit(town: town, desk: desk, people: people, tell: tell).walk()
        case .parcel: try await Parcel(town: town, desk: desk, people: people, tell: tell).walk()
        case .ride: try await Ride(town: town, desk: desk, people: people, tell: tell).walk()
        case .meal: try await Meal(town: town, desk: desk, people: people, tell: tell).walk()
        case .pilgrims: try await Pilgrims(town: town, desk: desk, people: people, tell: tell).walk()
        }
    }
}
