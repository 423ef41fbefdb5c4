import Contracts
import Foundation
import Messaging
import SeraiJSON
import Testing

@Suite("P2: numbers and areas of settings")
struct AreaTests {
    @Test(
        "P2: an area is a simple polygon with a surface, in plain numbers",
        arguments: [
            ("57.5,11.6 57.7,11.6 57.7,12", true), ("57.5,11.6 57.5,11.6 57.5,11.6", false),
            ("57.5,11.6 57.6,11.7 57.7,11.8", false), ("57.5,11.6 57.7,12 57.7,11.6 57.5,12", false),
            ("0x1p3,11.6 57.7,11.6 57.7,12", false), ("+57.5,11.6 57.7,11.6 57.7,12", false),
            ("nan,11.6 57.7,11.6 57.7,12", false), ("5e1,11.6 57.7,11.6 57.7,12", false),
            ("57.5,11.6, 57.7,11.6 57.7,12", false), ("57.5,11.6 57.50001,11.6 57.5,11.60001", false),
            ("-90,-180 90,-180 90,180 -90,180", false), ("57.5,11.6 57.7,11.6 57.6,11.6 57.6,12", false),
            ("-19,177 -16,177 -16,-179 -19,-179", true), ("-19,177 -16,-179 -16,177 -19,-179", false),
            ("-19,150 -16,150 -16,-178 -19,-178", false), ("-19,180 -16,180 -16,-180 -19,-180", false),
        ])
    func areas(_ text: String, isArea: Bool) {
        var settings = Market.carrepsa.defaults
        do {
            try settings.set(.serviceArea, to: text)
            #expect(isArea, "\(text)")
        } catch {
            #expect(!isArea, "\(text)")
        }
    }

    @Test("P2: the areas that the markets begin with are such", arguments: Market.all.map(\.id))
    func defaults(_ id: String) throws {
        let market = try #require(Market.named(id))
        #expect(ServiceArea(corners: market.defaults.serviceArea).isSimple)
    }

    @Test("P2: an area across the 180th meridian is one area, and so is the box around it")
    func fiji() {
        let fiji = ServiceArea(corners: [
            Coordinate(latitude: -19, longitude: 177), Coordinate(latitude: -16, longitude: 177),
            Coordinate(latitude: -16, longitude: -179), Coordinate(latitude: -19, longitude: -179),
        ])
        #expect(fiji.isSimple)
        for longitude in [177.0, 178.4, 179.999, 180, -180, -179.5, -179] {
            #expect(fiji.contains(latitude: -17, longitude: longitude), "\(longitude)")
        }
        for longitude in [176.9, -178.9, 0, 90, -90] {
            #expect(!fiji.contains(latitude: -17, longitude: longitude), "\(longitude)")
        }
        #expect(!fiji.contains(latitude: -15.9, longitude: 179))
        #expect(fiji.bounds.west == 177 && fiji.bounds.east == -179)
        #expect(fiji.bounds.south == -19 && fiji.bounds.north == -16)
        // A market that reaches the meridian and does not cross it is as before.
        let west = ServiceArea(corners: [
            Coordinate(latitude: -19, longitude: 177), Coordinate(latitude: -16, longitude: 177),
            Coordinate(latitude: -16, longitude: 180),
        ])
        #expect(west.isSimple && west.bounds.west == 177 && west.bounds.east == 180)
    }

    @Test(
        "P10: a number is digits, and a point at most",
        arguments: ["+5", "0x10", "nan", "inf", "1e3", "", "-", "5.", ".5", "٥", " 5"])
    func numbers(_ text: String) {
        #expect(Double(plain: text) == nil && Int(plain: text) == nil)
        #expect(Int(plain: "-12") == -12 && Double(plain: "-12.50") == -12.5)
    }
}

@Suite("P2: days of a market's zone")
struct MarketDayTests {
    @Test(
        "A2: a day has 23, 24 or 25 hours, as its zone has it, and each hour belongs to one day",
        arguments: [
            ("Europe/Stockholm", "2027-03-28", "2027-03-27T23:00:00Z", 23),
            ("Europe/Stockholm", "2026-10-25", "2026-10-24T22:00:00Z", 25),
            ("Europe/Stockholm", "2026-10-26", "2026-10-25T23:00:00Z", 24),
            // Neither Perth nor Regina changes its clocks.
            ("Australia/Perth", "2026-10-25", "2026-10-24T16:00:00Z", 24),
            ("America/Regina", "2027-03-14", "2027-03-14T06:00:00Z", 24),
            ("America/Toronto", "2027-03-14", "2027-03-14T05:00:00Z", 23),
        ])
    func hours(_ zone: String, _ day: String, _ start: String, _ hours: Int) throws {
        var settings = Market.carrepsa.defaults
        try settings.set(.timeZone, to: zone)
        let begin = try #require(WireTime.parse(start))
        for hour in 0..<hours {
            for second in [0.0, 3_599] {
                let moment = begin + Double(hour) * 3_600 + second
                #expect(settings.day(of: moment) == day && settings.dayStart(of: moment) == begin, "\(hour)")
            }
        }
        #expect(settings.day(of: begin - 1) != day && settings.day(of: begin + Double(hours) * 3_600) != day)
    }
}
