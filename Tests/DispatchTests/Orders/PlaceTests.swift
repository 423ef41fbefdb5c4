import Contracts
import Foundation
import Matching
import Testing

@testable import SeraiDispatch

@Suite("P2: service areas and opening hours")
struct PlaceTests {
    static let riyadh = ServiceArea(corners: [
        .init(latitude: 24.30, longitude: 46.30), .init(latitude: 25.15, longitude: 46.30),
        .init(latitude: 25.15, longitude: 47.15), .init(latitude: 24.30, longitude: 47.15),
    ])

    @Test(
        "a place is inside, on the edge or outside",
        arguments: [
            (24.7, 46.7, true), (24.30, 46.30, true), (24.30, 46.9, true), (25.15, 47.15, true), (24.7, 46.30, true),
            (24.2999, 46.7, false), (25.1501, 46.7, false), (24.7, 46.2999, false), (24.7, 47.1501, false),
            (0, 0, false), (90, 180, false), (-24.7, -46.7, false),
        ])
    func square(_ latitude: Double, _ longitude: Double, _ isInside: Bool) {
        #expect(Self.riyadh.contains(latitude: latitude, longitude: longitude) == isInside)
    }

    @Test("the notch of a concave area is outside")
    func concave() {
        // A U, open to the north.
        let area = ServiceArea(corners: [
            .init(latitude: 0, longitude: 0), .init(latitude: 0, longitude: 3), .init(latitude: 3, longitude: 3),
            .init(latitude: 3, longitude: 2), .init(latitude: 1, longitude: 2), .init(latitude: 1, longitude: 1),
            .init(latitude: 3, longitude: 1), .init(latitude: 3, longitude: 0),
        ])
        #expect(area.contains(latitude: 2, longitude: 0.5))
        #expect(area.contains(latitude: 2, longitude: 2.5))
        #expect(area.contains(latitude: 0.5, longitude: 1.5))
        #expect(!area.contains(latitude: 2, longitude: 1.5))
        #expect(!area.contains(latitude: 4, longitude: 1.5))
    }

    @Test("C7, C9: a box of degrees goes on across the 180th meridian, and a search there has two parts")
    func acrossTheDateLine() {
        func holds(_ place: GeoPoint, _ metres: Double, _ longitude: Double) -> Bool {
            let box = DegreeBox(around: place, metres: metres)
            return box.longitudes.contains(longitude) || box.otherLongitudes.contains(longitude)
        }
        // Taveuni lies on both sides. A degree there is about 106 km.
        let east = GeoPoint(latitude: -16.8, longitude: -179.98)
        let west = GeoPoint(latitude: -16.8, longitude: 179.98)
        for (place, other) in [(east, west), (west, east)] {
            #expect(place.metres(to: other) < 5_000)
            #expect(holds(place, 10_000, other.longitude) && holds(place, 10_000, place.longitude))
            #expect(!holds(place, 1_000, other.longitude))
            #expect(!holds(place, 10_000, 0) && !holds(place, 10_000, 170) && !holds(place, 10_000, -170))
        }
        let perth = GeoPoint(latitude: -31.95, longitude: 115.86)
        let box = DegreeBox(around: perth, metres: 10_000)
        #expect(box.longitudes == box.otherLongitudes)
        let pole = DegreeBox(around: GeoPoint(latitude: 89.999, longitude: 100), metres: 10_000)
        #expect(pole.otherLongitudes == -180...180)
        let area = PlaceBox(south: -19, west: 177, north: -16, east: -179)
        #expect(
            area.parts == [
                PlaceBox(south: -19, west: 177, north: -16, east: 180),
                PlaceBox(south: -19, west: -180, north: -16, east: -179),
            ])
        let usual = PlaceBox(south: -19, west: 170, north: -16, east: 177)
        #expect(usual.parts == [usual])
        func found(_ names: String...) -> FoundPlaces {
            FoundPlaces(places: names.map { FoundPlace(name: $0, place: perth) }, attribution: "© \(names.count)")
        }
        let both = FoundPlaces(inTurn: [found("a", "b", "c"), found("d")])
        #expect(both.places.map(\.name) == ["a", "d", "b", "c"] && both.attribution == "© 3")
    }

    @Test("fewer than three corners are no area")
    func degenerate() {
        #expect(!ServiceArea(corners: []).contains(latitude: 0, longitude: 0))
        #expect(!ServiceArea(corners: [.init(latitude: 0, longitude: 0)]).contains(latitude: 0, longitude: 0))
    }

    @Test("the minute of the day is that of the market's zone")
    func minutes() {
        let noon = Date(timeIntervalSince1970: 1_800_014_400)  // 2027-01-15 12:00 UTC
        #expect(LocalTime.minuteOfDay(of: noon, in: "UTC") == 12 * 60)
        #expect(LocalTime.minuteOfDay(of: noon, in: "Asia/Riyadh") == 15 * 60)
        #expect(LocalTime.minuteOfDay(of: noon, in: "America/Regina") == 6 * 60)
        #expect(LocalTime.minuteOfDay(of: noon, in: "Nowhere/City") == nil)
    }

    @Test("W: prices whose sum is no number of money have no total")
    func totals() {
        func line(_ price: Int) -> Order.Line { Order.Line(service: "a", names: [:], price: price) }
        #expect([line(2), line(3)].total == 5)
        #expect([line(.max), line(1)].total == nil)
    }
}
