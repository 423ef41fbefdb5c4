import Foundation
import LiveMarkets
import Matching
import Postgres
import SeraiJSON
import Testing
import TestKit

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C3, O6: where free providers are is told by the cell", .timeLimit(.minutes(15)))
struct CoarsePlaceTests {
    static let radiusMetres = 5_000.0

    /// Asked from there: all around, so that distances cross one another, and along two lines through the edge of the
    /// search radius.
    static let origins: [GeoPoint] = {
        var places: [GeoPoint] = []
        for latitude in stride(from: 24.700, through: 24.730, by: 0.005) {
            for longitude in stride(from: 46.661, through: 46.691, by: 0.006) {
                places.append(GeoPoint(latitude: latitude, longitude: longitude))
            }
        }
        let degrees = radiusMetres / (UnitVector.earthRadiusMetres * .pi / 180)
        for step in stride(from: -0.006, through: 0.006, by: 0.0003) {
            places.append(GeoPoint(latitude: 24.715 - degrees + step, longitude: 46.675))
            let east = (degrees + step) / cos(24.715 * .pi / 180)
            places.append(GeoPoint(latitude: 24.715, longitude: 46.675 + east))
        }
        return places
    }()

    /// One customer for each place, since nobody may ask that often. Always the same: a page's cursor is its reader's.
    private static let customers = origins.map { _ in UUID() }

    /// All that customers can learn from these places.
    private static func answers(_ ground: ProvidersGround) async throws -> [JSONValue] {
        var answers: [JSONValue] = []
        for (place, caller) in zip(origins, customers) {
            let query = "latitude=\(place.latitude)&longitude=\(place.longitude)"
            for path in ["providers?services=wound-care&limit=1&", "providers?services=wound-care&", "nearby?"] {
                let answer = try await ground.get("markets/assef/\(path)\(query)", as: caller)
                #expect(answer.status == 200)
                answers.append(answer.json)
            }
        }
        return answers
    }

    /// Any place of the cell around this middle.
    private static func somewhere(_ middle: GeoPoint, _ generator: inout SeededGenerator) -> GeoPoint {
        let cell = -0.002499...0.002499
        return GeoPoint(
            latitude: middle.latitude + .random(in: cell, using: &generator),
            longitude: middle.longitude + .random(in: cell, using: &generator))
    }

    @Test("O6: asked from many places, the answers are the same wherever in their cells the providers are")
    func sameAnswers() async throws {
        try await ProvidersGround.run { ground in
            var generator = SeededGenerator()
            try await ground.pool.execute(
                SetSetting(key: "searchRadiusMetres", value: String(Int(Self.radiusMetres))))
            try await ground.markets.refresh()
            // Two who share a cell, and three around it.
            let cells = [
                GeoPoint(latitude: 24.715, longitude: 46.675), GeoPoint(latitude: 24.715, longitude: 46.675),
                GeoPoint(latitude: 24.720, longitude: 46.675), GeoPoint(latitude: 24.715, longitude: 46.680),
                GeoPoint(latitude: 24.710, longitude: 46.670),
            ]
            var nurses: [(account: UUID, cell: GeoPoint)] = []
            for cell in cells { nurses.append((try await ground.free(age: 60), cell)) }
            var known: [JSONValue]?
            for round in 0..<4 {
                for (account, cell) in nurses {
                    let place = Self.somewhere(cell, &generator)
                    #expect(place.coarse == cell.coarse, "\(generator)")
                    let fix = Fix(place: place, at: Date() - 10 + Double(round))
                    ground.parts.index.put(CollectionOfOne((provider: account, fix: fix)))
                }
                let answers = try await Self.answers(ground)
                if let known {
                    let different = zip(known, answers).count { $0 != $1 }
                    #expect(different == 0, "round \(round), \(generator)")
                }
                known = answers
            }
            // They say something, and not the same to everybody.
            let counts = Set((known ?? []).map { $0["items"]?.asList?.count ?? 0 })
            #expect(counts.contains(0) && counts.contains(5))
        }
    }

    @Test("C3: distance and time are told to half a kilometre and a minute, and nobody is nowhere")
    func rounded() {
        func rounded(_ metres: Int, _ seconds: Int) -> [Int] {
            let estimate = TravelEstimate(metres: metres, seconds: seconds).rounded
            return [estimate.metres, estimate.seconds]
        }
        #expect(rounded(0, 0) == [500, 60])
        #expect(rounded(749, 89) == [500, 60])
        #expect(rounded(750, 90) == [1_000, 120])
        #expect(rounded(12_345, 1_926) == [12_500, 1_920])
    }
}
