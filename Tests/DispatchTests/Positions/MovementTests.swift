import Foundation
import Matching
import Testing
import TestKit

@testable import SeraiDispatch

@Suite("Movements")
struct MovementTests {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    /// So many metres to the north, so many seconds later.
    static func fix(_ metres: Double, _ seconds: Double) -> Fix {
        let degrees = metres / (UnitVector.earthRadiusMetres * .pi / 180)
        return Fix(place: GeoPoint(latitude: 24.7 + degrees, longitude: 46.7), at: start + seconds)
    }

    @Test("an older place is dropped, and so is an absurd jump while the last place is fresh")
    func plausibility() {
        let last = Self.fix(0, 0)
        func follows(_ metres: Double, _ seconds: Double, isManual: Bool = false) -> Bool {
            Self.fix(metres, seconds).mayFollow(last, isManual: isManual, freshness: 120)
        }
        #expect(Self.fix(0, 0).mayFollow(nil, isManual: false, freshness: 120))
        #expect(follows(100, 10))
        #expect(!follows(100, -1))
        #expect(!follows(0, 0))
        #expect(!follows(100, -1, isManual: true))
        #expect(follows(830, 10))
        #expect(!follows(2_000, 10))
        #expect(follows(2_000, 10, isManual: true))
        #expect(!follows(500_000, 119))
        #expect(follows(500_000, 121))
        // Two measurements of one place, one after the other.
        #expect(follows(60, 0.2))
    }

    @Test("O2: the odometer adds up steps, not the trembling of a phone at rest nor absurd jumps")
    func odometer() {
        var odometer = Odometer(base: Self.fix(0, 0))
        for second in 1...100 {
            odometer.move(to: Self.fix(second.isMultiple(of: 2) ? 8 : -8, Double(second)), speed: 500)
        }
        #expect(odometer.metres == 0)
        #expect(odometer.base == Self.fix(0, 0))
        // 10 m/s, in steps shorter than those that count.
        for second in 101...200 { odometer.move(to: Self.fix(Double(second - 100) * 10, Double(second)), speed: 500) }
        // Less than a step and a report waits to be counted.
        #expect((940...1_000).contains(odometer.metres))
        let counted = odometer.metres
        let late = odometer.move(to: Self.fix(5_000, 150), speed: 500)
        let jump = odometer.move(to: Self.fix(100_000, 201), speed: 500)
        #expect(!late && jump)
        #expect(odometer.metres == counted)
        odometer.move(to: Self.fix(99_900, 211), speed: 500)
        #expect(abs(odometer.metres - counted - 100) < 1)
    }

    @Test("O6: the customer is told that the provider is near when it is so, on the way, and once")
    func arriving() {
        func journey(isEnRoute: Bool = true, isAnnounced: Bool = false) -> Journey {
            Journey(
                order: UUID(), version: 1, customer: UUID(), destination: Self.fix(0, 0).place, isEnRoute: isEnRoute,
                isAnnounced: isAnnounced)
        }
        #expect(journey().isArriving(metresLeft: 500, nearbyMetres: 500))
        #expect(!journey().isArriving(metresLeft: 501, nearbyMetres: 500))
        #expect(!journey(isEnRoute: false).isArriving(metresLeft: 10, nearbyMetres: 500))
        #expect(!journey(isAnnounced: true).isArriving(metresLeft: 10, nearbyMetres: 500))
    }

    @Test("of each provider the newest report waits, and no more providers than there is room for")
    func buffer() {
        var buffer = PositionBuffer(limit: 2)
        let (first, second, third) = (UUID(), UUID(), UUID())
        func report(_ provider: UUID, _ seconds: Double, isManual: Bool = false) -> PositionReport {
            PositionReport(provider: provider, fix: Self.fix(seconds, seconds), isManual: isManual)
        }
        let reports = [
            report(first, 2), report(first, 1, isManual: true), report(second, 1), report(third, 1), report(second, 3),
        ]
        let isTaken = reports.map { buffer.put($0) }
        #expect(isTaken == [true, true, true, false, true])
        let taken = Set(buffer.takeAll())
        #expect(taken == [report(first, 2, isManual: true), report(second, 3)])
        #expect(buffer.count == 0)
        let hasRoom = buffer.put(report(third, 1))
        #expect(hasRoom)
    }

    @Test("times are those of the great circle, lengthened, at the market's speed")
    func times() async throws {
        let here = GeoPoint(latitude: 24.7, longitude: 46.7)
        let there = GeoPoint(latitude: 24.745, longitude: 46.7)
        let ways = try await GreatCircleTimes().estimates(from: [here, there], to: here, metresPerMinute: 500)
        #expect(ways.first == TravelEstimate(metres: 0, seconds: 0))
        #expect(ways.last == TravelEstimate(metres: 5004, seconds: 781))
    }
}
