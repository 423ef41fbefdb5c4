import Foundation
import Matching
import TestKit
import Testing

@Suite("Places on the sphere", .timeLimit(.minutes(15)))
struct PlaceIndexTests {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    /// Where things go wrong: the poles, the antimeridian, the equator, one town, the whole world.
    enum Region: String, CaseIterable, CustomTestStringConvertible {
        case riyadh, world, northPole, southPole, antimeridian, equator

        var testDescription: String { rawValue }

        func point(_ generator: inout SeededGenerator) -> GeoPoint {
            func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
            switch self {
            case .riyadh: return GeoPoint(latitude: random(24.3...25.15), longitude: random(46.3...47.15))
            case .world: return GeoPoint(latitude: random(-90...90), longitude: random(-180...180))
            case .northPole: return GeoPoint(latitude: random(89.7...90), longitude: random(-180...180))
            case .southPole: return GeoPoint(latitude: random(-90 ... -89.7), longitude: random(-180...180))
            case .antimeridian:
                let longitude = random(179.8...180.2)
                return GeoPoint(
                    latitude: random(-17.2 ... -16.8), longitude: longitude > 180 ? longitude - 360 : longitude)
            case .equator: return GeoPoint(latitude: random(-0.3...0.3), longitude: random(-0.3...0.3))
            }
        }

        var radii: [Double] { self == .world ? [50_000, 2_000_000, 30_000_000] : [0, 300, 5_000, 50_000] }
    }

    @Test("C3: the nearest of the index are the nearest of all, everywhere on the earth", arguments: Region.allCases)
    func nearest(region: Region) {
        var generator = SeededGenerator()
        var index = PlaceIndex()
        var known: [UUID: Fix] = [:]
        for step in 0..<2_000 {
            let id =
                known.count > 300 && Bool.random(using: &generator) ? known.keys.randomElement(using: &generator) : nil
            let fix = Fix(place: region.point(&generator), at: Self.start + Double(step))
            let account = id ?? UUID()
            index.put(account, fix)
            known[account] = fix
        }
        for _ in 0..<60 {
            let center = region.point(&generator)
            let count = Int.random(in: 1...40, using: &generator)
            let since = Self.start + Double.random(in: 0...1_500, using: &generator)
            for radius in region.radii {
                let found = index.nearest(count, to: center, within: radius, since: since)
                let all = known.filter { $0.value.at >= since && $0.value.place.metres(to: center) <= radius }
                    .map { (id: $0.key, metres: $0.value.place.metres(to: center)) }
                    .sorted { ($0.metres, $0.id) < ($1.metres, $1.id) }
                #expect(found.map(\.id) == all.prefix(count).map(\.id), "\(generator) radius \(radius) at \(center)")
            }
        }
    }

    @Test("P4: the nearest of those who are wanted are found, past any number of others")
    func wanted() {
        var generator = SeededGenerator()
        var index = PlaceIndex()
        var wanted: Set<UUID> = []
        var places: [UUID: GeoPoint] = [:]
        for number in 0..<2_000 {
            let (id, place) = (UUID(), Region.riyadh.point(&generator))
            index.put(id, Fix(place: place, at: Self.start))
            places[id] = place
            if number.isMultiple(of: 50) { wanted.insert(id) }
        }
        let center = Region.riyadh.point(&generator)
        let found = index.nearest(10, to: center, within: 200_000, since: Self.start) { wanted.contains($0) }
        let all = wanted.compactMap { id in places[id].map { (id: id, metres: $0.metres(to: center)) } }
        let expected = all.sorted { ($0.metres, $0.id) < ($1.metres, $1.id) }.prefix(10)
        #expect(found.map(\.id) == expected.map(\.id), "\(generator)")
    }

    @Test("the newest place of somebody counts, in whatever order they come")
    func newest() {
        var index = PlaceIndex()
        let id = UUID()
        let old = Fix(place: GeoPoint(latitude: 24.7, longitude: 46.7), at: Self.start)
        let new = Fix(place: GeoPoint(latitude: 24.8, longitude: 46.7), at: Self.start + 1)
        let news = [new, old, new].map { index.put(id, $0) }
        #expect(news == [true, false, false])
        #expect(index.fix(of: id) == new)
        #expect(index.count == 1)
        #expect(index.nearest(5, to: old.place, within: 1_000, since: .distantPast).isEmpty)
    }

    @Test("C4: a stale place is not offered, and is forgotten")
    func stale() {
        var generator = SeededGenerator()
        var index = PlaceIndex()
        let ids = (0..<500).map { _ in UUID() }
        for (age, id) in ids.enumerated() {
            index.put(id, Fix(place: Region.riyadh.point(&generator), at: Self.start + Double(age)))
        }
        let center = GeoPoint(latitude: 24.7, longitude: 46.7)
        func found(since: Double) -> Set<UUID> {
            Set(index.nearest(1_000, to: center, within: 1_000_000, since: Self.start + since).map(\.id))
        }
        #expect(found(since: 200) == Set(ids[200...]))
        index.removeAll(before: Self.start + 300)
        #expect(index.count == 200)
        #expect(found(since: 0) == Set(ids[300...]))
        for id in ids[300...] { index.put(id, Fix(place: center, at: Self.start + 1_000)) }
        #expect(found(since: 1_000) == Set(ids[300...]))
        index.removeAll(before: .distantFuture)
        #expect(index.count == 0 && found(since: 0).isEmpty)
    }

    @Test("distances are those of great circles")
    func distances() {
        let degree = 2 * Double.pi * 6_371_008.8 / 360
        func distance(_ from: (Double, Double), _ to: (Double, Double)) -> Double {
            GeoPoint(latitude: from.0, longitude: from.1).metres(to: GeoPoint(latitude: to.0, longitude: to.1))
        }
        #expect(abs(distance((0, 0), (0, 1)) - degree) < 0.01)
        #expect(abs(distance((0, 179.5), (0, -179.5)) - degree) < 0.01)
        #expect(abs(distance((90, 0), (89, 123)) - degree) < 0.01)
        #expect(abs(distance((0, 0), (0, 180)) - 180 * degree) < 1)
        #expect(distance((24.7, 46.7), (24.7, 46.7)) == 0)
        // Riyadh to Makkah.
        #expect(abs(distance((24.7136, 46.6753), (21.4225, 39.8262)) - 790_000) < 10_000)
    }

    @Test("a free provider's place on the map is coarse")
    func coarse() {
        let place = GeoPoint(latitude: 24.71234, longitude: 46.67891)
        #expect(place.coarse == GeoPoint(latitude: 24.71, longitude: 46.68))
        #expect(place.metres(to: place.coarse) < 400)
    }
}
