import Contracts
import Foundation
import LiveMarkets
import Matching
import Postgres

/// Writes a batch of reports: last positions, odometers, trails. Returns what must be broadcast and announced.
struct RecordPositions: Sendable {
    /// A provider who has come near a customer who has not been told yet.
    struct Arrival: Sendable, Equatable {
        let order: UUID
        let metresLeft: Int
        let secondsLeft: Int
    }

    struct Outcome: Sendable {
        var positions: [ProviderPositions.Position] = []
        var arrivals: [Arrival] = []
        /// Number of reports that were older than the last position, too far from it, or of a provider who does not
        /// work.
        var droppedCount = 0
        /// Orders whose stored odometer cannot be decoded.
        var unreadable: [UUID] = []
    }

    let pool: PostgresPool
    let markets: LiveMarkets
    /// Age in seconds up to which the last position counts as fresh.
    let freshness: TimeInterval

    /// - Parameter reports: at most one per provider.
    func callAsFunction(_ reports: [PositionReport]) async throws -> Outcome {
        guard !reports.isEmpty else { return Outcome() }
        let providers = reports.map(\.provider)
        return try await pool.withTransaction { transaction in
            let (last, rows, running) = try await transaction.queryAll(
                LockLastPositions(providers: providers), ReadJourneys(providers: providers),
                ReadTrails(providers: providers))
            let known = Dictionary(last.map { ($0.provider, $0.whereabouts) }) { first, _ in first }
            let journeys = Dictionary(grouping: rows, by: \.provider)
            let trails = Dictionary(grouping: running, by: \.provider)
            let taken = reports.filter { isTaken($0, after: known[$0.provider], journeys[$0.provider] ?? []) }
            let whereabouts = Dictionary(
                taken.map {
                    (
                        $0.provider,
                        ProviderPositionState(
                            $0, after: known[$0.provider],
                            isInOrder: (journeys[$0.provider] ?? []).contains { $0.isHeld || $0.journey != nil })
                    )
                }
            ) { $1 }
            var outcome = Outcome(droppedCount: reports.count - taken.count)
            var readings: [(order: UUID, version: Int, odometer: Odometer)] = []
            var places: [(report: PositionReport, trail: Trail)] = []
            for report in taken {
                for row in trails[report.provider] ?? [] where row.trail.keeps(report.fix) {
                    places.append((report, row.trail))
                }
                let steady = Fix(
                    place: whereabouts[report.provider]?.steady ?? report.fix.place, at: report.fix.at)
                let isSettled = whereabouts[report.provider]?.isSettled ?? false
                // A courier may carry several meals; each customer follows only the own one.
                for row in journeys[report.provider] ?? [] {
                    guard let market = row.market else { continue }
                    if let journey = row.journey, journey.isUnreadable { outcome.unreadable.append(journey.order) }
                    // A place that was taken on trust is no part of a way that somebody pays for.
                    if isSettled, var journey = row.journey,
                        let speed = markets.settings(of: market)?.speedMetresPerMinute,
                        journey.move(to: steady, accuracy: report.accuracyMetres, speed: speed),
                        let odometer = journey.odometer
                    {
                        readings.append((journey.order, journey.version, odometer))
                    }
                    tell(report, row.journey, market, isSettled: isSettled, in: &outcome)
                }
            }
            if !taken.isEmpty { transaction.send(StorePositions(reports: taken, whereabouts: whereabouts)) }
            if !readings.isEmpty { transaction.send(try StoreOdometers(readings: readings)) }
            if !places.isEmpty { transaction.send(StoreTrails(places: places)) }
            return outcome
        }
    }

    private func isTaken(
        _ report: PositionReport, after known: ProviderPositionState?, _ rows: [ReadJourneys.Row]
    ) -> Bool {
        // Positions of a provider who does not work are not kept.
        guard rows.contains(where: \.isAtWork) else { return false }
        // While a provider holds an order, neither a stated position nor a long silence makes an unreachable position
        // credible. The first position of all is taken, but see ``ProviderPositionState/isSettled``.
        guard let known, rows.contains(where: { $0.isHeld || $0.journey != nil }) else {
            return report.fix.mayFollow(known?.last, isManual: report.isManual, freshness: freshness)
        }
        return known.mayBeFollowedInOrder(by: report)
    }

    private func tell(
        _ report: PositionReport, _ journey: Journey?, _ market: String, isSettled: Bool, in outcome: inout Outcome
    ) {
        var tracking: ProviderPositions.Tracking?
        if let journey, let settings = markets.settings(of: market) {
            let metres = report.fix.place.metres(to: journey.destination)
            let left = GreatCircleTimes.estimate(metres: metres, metresPerMinute: settings.speedMetresPerMinute)
            tracking = .init(
                order: journey.order, customer: journey.customer, metresLeft: left.metres, secondsLeft: left.seconds)
            // A place taken on trust announces nobody. (Nor has its order an odometer, where the announcement is marked.)
            if isSettled, journey.isArriving(metresLeft: metres, nearbyMetres: settings.nearbyMetres) {
                outcome.arrivals.append(
                    Arrival(order: journey.order, metresLeft: left.metres, secondsLeft: left.seconds))
            }
        }
        outcome.positions.append(
            .init(
                provider: report.provider, market: market, place: Coordinate(report.fix.place), at: report.fix.at,
                tracking: tracking))
    }
}

extension Coordinate {
    init(_ point: GeoPoint) { self.init(latitude: point.latitude, longitude: point.longitude) }
}

extension GeoPoint {
    init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
}
