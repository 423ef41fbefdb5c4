import Foundation
import Matching

/// What the provider's way means for the order.
extension Order {
    /// A way that is fined is at most so many times the one that was to be expected.
    static let longestWay = 2.0

    /// Where its provider and its customer meet: where it begins, or where it goes once that is under way.
    var meetingPlace: Place { state == .inProgress ? destination ?? place : place }

    /// How well a provider's phone has to say where it is, for a word that says that the two are together.
    enum PresenceNeed: Equatable {
        /// By its last place.
        case shown
        /// By two places that agree: the word moves money.
        case proved
    }

    /// Nil of a word that says nothing of a place. A visit's nurse who has arrived, and a care partner who has begun, may say
    /// "done" from anywhere, since they were there; a ride's driver, too, who is paid for the way until then.
    func presence(for trigger: OrderTrigger.Kind, by actor: OrderActor) -> PresenceNeed? {
        guard actor == .provider else { return nil }
        return switch (kind, trigger) {
        case ("parcel", _): nil
        case (_, .arrive), ("ride", .start): .shown
        case ("homeCare", .start): .proved
        // The customer has it.
        case ("food", .complete), ("bikeDropOff", .complete): confirmedBy.contains(.customer) ? nil : .proved
        default: nil
        }
    }

    /// Whether its customer can say to be with its provider.
    var canMeet: Bool { provider != nil && [.accepted, .enRoute, .arrived, .inProgress].contains(state) }

    /// Whether what its customer has said about being with a provider counts for what its provider says now. It is one meeting
    /// where it begins, and another one where it goes.
    func hasMet(_ account: UUID, at time: Date) -> Bool {
        account == provider?.account && (state != .inProgress || time >= changedAt)
    }

    /// The metres of the way that its customer pays for: those of the odometer, but no detours.
    ///
    /// - Parameter way: nil before the first position. Of one that does not know where it began all metres count.
    func finedMetres(of way: Odometer?) -> Double {
        guard let way else { return 0 }
        guard let start = way.start else { return way.metres }
        let begin = GeoPoint(place)
        var expected = start.place.metres(to: begin)
        // What is brought is fetched first.
        if state == .inProgress { expected += begin.metres(to: GeoPoint(meetingPlace)) }
        return min(way.metres, expected * GreatCircleTimes.detour * Self.longestWay)
    }

    /// Until when its customer waits for a provider who has said yes, before the wait that the market asks for anyhow: the time
    /// of arrival that the customer was shown, a quarter of it more, and a minute. Who is all but there is waited for a
    /// little longer.
    ///
    /// - Parameters:
    ///   - start: where the provider was at the acceptance.
    ///   - last: where he or she is now; nil of who has not told for a while.
    ///   - radius: from no further away anybody is asked; metres.
    ///   - speed: the market's; metres a minute.
    func awaitedUntil(start: Fix?, last: Fix?, radius: Int, speed: Int, at now: Date) -> Date? {
        guard let start else { return nil }
        let shown = GreatCircleTimes.estimate(
            metres: min(start.place.metres(to: GeoPoint(place)), Double(radius)), metresPerMinute: speed)
        let promised = changedAt.addingTimeInterval(Double(shown.seconds) * 1.25 + 60)
        guard now >= promised, let last else { return promised }
        let left = GreatCircleTimes.estimate(
            metres: last.place.metres(to: GeoPoint(place)), metresPerMinute: speed)
        guard left.seconds <= Self.nearSeconds else { return promised }
        // A phone that says for ever that it is near keeps nobody.
        return min(
            now.addingTimeInterval(Double(max(30, left.seconds))), promised.addingTimeInterval(Self.graceSeconds))
    }

    /// Who needs no longer is all but there.
    static let nearSeconds = 120
    /// So much longer who is all but there is waited for.
    static let graceSeconds: TimeInterval = 300
}

extension GeoPoint {
    init(_ place: Order.Place) { self.init(latitude: place.latitude, longitude: place.longitude) }
}
