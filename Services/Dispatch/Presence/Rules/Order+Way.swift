import Foundation
import Matching

/// Meaning of the provider's way for the order.
extension Order {
    /// Factor: a fined way is at most this many times the expected way.
    static let longestWay = 2.0

    /// Place where provider and customer meet: the start, or the destination once the order is in progress.
    var meetingPlace: Place { state == .inProgress ? destination ?? place : place }

    /// Required evidence of the provider's position for a trigger that claims that both are together.
    enum PresenceNeed: Equatable {
        /// The phone's last position.
        case shown
        /// Two positions that agree, since the trigger moves money.
        case proved
    }

    /// Nil for a trigger that claims no place. A visit's nurse after the arrival, and a care partner after the start,
    /// may say "done" from anywhere, since they were there. So may a ride's driver, who is paid for the way until then.
    func presence(for trigger: OrderTrigger.Kind, by actor: OrderActor) -> PresenceNeed? {
        guard actor == .provider else { return nil }
        return switch (kind, trigger) {
        case ("parcel", _): nil
        case (_, .arrive), ("ride", .start): .shown
        case ("homeCare", .start): .proved
        // The customer has confirmed the delivery.
        case ("food", .complete), ("bikeDropOff", .complete): confirmedBy.contains(.customer) ? nil : .proved
        default: nil
        }
    }

    /// Whether the customer can report to have met the provider.
    var canMeet: Bool { provider != nil && [.accepted, .enRoute, .arrived, .inProgress].contains(state) }

    /// Whether the customer's report of a meeting counts for the provider's present claim. The meeting at the start and
    /// the one at the destination are different meetings.
    func hasMet(_ account: UUID, at time: Date) -> Bool {
        account == provider?.account && (state != .inProgress || time >= changedAt)
    }

    /// Metres that the customer is fined for: the odometer's, without detours (see ``longestWay``).
    ///
    /// - Parameter way: nil before the first position. If its start is unknown, all metres count.
    func finedMetres(of way: Odometer?) -> Double {
        guard let way else { return 0 }
        guard let start = way.start else { return way.metres }
        let begin = GeoPoint(place)
        var expected = start.place.metres(to: begin)
        // The way leads over the pick-up place to the customer.
        if state == .inProgress { expected += begin.metres(to: GeoPoint(meetingPlace)) }
        return min(way.metres, expected * GreatCircleTimes.detour * Self.longestWay)
    }

    /// Earliest time of a no-show report against the provider, before the wait that the market asks for anyway: the
    /// duration that the customer was shown at the acceptance plus a quarter and a minute. A provider who is nearly
    /// there gets a little longer.
    ///
    /// - Parameters:
    ///   - start: the provider's position at the acceptance.
    ///   - last: the provider's position now; nil if it is not fresh.
    ///   - radius: maximum distance in metres from which providers are asked.
    ///   - speed: the market's speed in metres per minute.
    func earliestProviderNoShow(start: Fix?, last: Fix?, radius: Int, speed: Int, at now: Date) -> Date? {
        guard let start else { return nil }
        let shown = GreatCircleTimes.estimate(
            metres: min(start.place.metres(to: GeoPoint(place)), Double(radius)), metresPerMinute: speed)
        let promised = changedAt.addingTimeInterval(Double(shown.seconds) * 1.25 + 60)
        guard now >= promised, let last else { return promised }
        let left = GreatCircleTimes.estimate(
            metres: last.place.metres(to: GeoPoint(place)), metresPerMinute: speed)
        guard left.seconds <= Self.nearSeconds else { return promised }
        // Limited, so that a phone that always claims to be near does not block the report for ever.
        return min(
            now.addingTimeInterval(Double(max(30, left.seconds))), promised.addingTimeInterval(Self.graceSeconds))
    }

    /// Travel time in seconds up to which a provider is nearly there.
    static let nearSeconds = 120
    /// Maximum extra wait in seconds for a provider who is nearly there.
    static let graceSeconds: TimeInterval = 300
}

extension GeoPoint {
    init(_ place: Order.Place) { self.init(latitude: place.latitude, longitude: place.longitude) }
}
