import Foundation
import Matching
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O2: metres of an odometer")
struct OdometerTests {
    /// The market's; metres a minute.
    static let speed = 500
    static let start = MovementTests.start

    /// So many metres to the north and to the east, so many seconds later.
    static func fix(_ north: Double, _ east: Double = 0, _ seconds: Double) -> Fix {
        let degree = UnitVector.earthRadiusMetres * .pi / 180
        let place = GeoPoint(
            latitude: 24.7 + north / degree, longitude: 46.7 + east / (degree * cos(24.7 * .pi / 180)))
        return Fix(place: place, at: start + seconds)
    }

    private static func odometer(accuracy: Double? = nil) -> Odometer {
        Odometer(base: fix(0, 0, 0), accuracy: accuracy)
    }

    /// Points whose error has no more than so many metres in each direction.
    struct Noise {
        var generator: SeededGenerator
        let metres: Double
        mutating func next() -> Double { .random(in: -metres...metres, using: &generator) }
    }

    @Test(
        "O2: fifteen minutes of zigzag between two points count them once, whatever the width, rate and claimed accuracy",
        arguments: [30, 60, 100, 150, 250, 290.0], [0.1, 0.5, 1, 5, 20.0])
    func zigzag(width: Double, rate: Double) {
        for accuracy in [nil, 0, 5, 1_000_000, -1, .nan, .infinity] as [Double?] {
            var odometer = Self.odometer(accuracy: accuracy)
            for step in 1...Int(900 * rate) {
                let north = step.isMultiple(of: 2) ? 0 : width
                odometer.move(to: Self.fix(north, 0, Double(step) / rate), accuracy: accuracy, speed: Self.speed)
            }
            #expect(odometer.metres < 300 && odometer.metres <= width + 1, "accuracy \(String(describing: accuracy))")
        }
    }

    @Test("O2: a zigzag with points in between, at any speed that may be driven, counts its street once")
    func zigzagAlongAStreet() {
        for metresPerSecond in [3, 8, 12, 30.0] {
            var odometer = Self.odometer()
            for second in 1...900 {
                let way = (Double(second) * metresPerSecond).truncatingRemainder(dividingBy: 400)
                odometer.move(to: Self.fix(min(way, 400 - way), 0, Double(second)), speed: Self.speed)
            }
            #expect(odometer.metres < 300, "\(metresPerSecond) m/s")
        }
    }

    @Test("O2: an honest drive at 1 Hz with 15 m of noise is right within 5 %", arguments: [3, 8, 12.0], UInt64(1)...8)
    func honest(metresPerSecond: Double, seed: UInt64) {
        var noise = Noise(generator: SeededGenerator(seed: seed), metres: 15)
        var odometer = Odometer(base: Self.fix(noise.next(), noise.next(), 0))
        let seconds = Int(8_000 / metresPerSecond)
        for second in 1...seconds {
            let north = Double(second) * metresPerSecond + noise.next()
            odometer.move(to: Self.fix(north, noise.next(), Double(second)), speed: Self.speed)
        }
        let way = Double(seconds) * metresPerSecond
        #expect(abs(odometer.metres - way) <= way * 0.05, "\(odometer.metres) of \(way)")
    }

    @Test("O2: round corners and with stops at lights a drive is right within 5 %", arguments: UInt64(1)...8)
    func streets(seed: UInt64) {
        var noise = Noise(generator: SeededGenerator(seed: seed), metres: 15)
        var odometer = Self.odometer()
        var (north, east, way) = (0.0, 0.0, 0.0)
        for second in 1...1_800 {
            // A minute of driving, half a minute at a light; a corner each 300 m.
            if second % 90 < 60 {
                if Int(way / 300).isMultiple(of: 2) { north += 10 } else { east += 10 }
                way += 10
            }
            odometer.move(
                to: Self.fix(north + noise.next(), east + noise.next(), Double(second)), speed: Self.speed)
        }
        #expect(abs(odometer.metres - way) <= way * 0.05, "\(odometer.metres) of \(way)")
    }

    @Test("O2: an hour at rest counts nothing", arguments: UInt64(1)...8)
    func atRest(seed: UInt64) {
        var noise = Noise(generator: SeededGenerator(seed: seed), metres: 15)
        var odometer = Self.odometer()
        for second in 1...3_600 {
            odometer.move(to: Self.fix(noise.next(), noise.next(), Double(second)), speed: Self.speed)
        }
        #expect(odometer.metres == 0)
    }

    @Test(
        "O2: all metres together are never more than somebody in haste can go, nor do absurd jumps count",
        arguments: UInt64(1)...20)
    func invented(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var odometer = Self.odometer()
        var seconds = 0.0
        for _ in 1...2_000 {
            seconds += .random(in: 0.05...5, using: &generator)
            let reach = Double.random(in: 10...5_000, using: &generator)
            let place = (
                Double.random(in: -reach...reach, using: &generator),
                Double.random(in: -reach...reach, using: &generator)
            )
            let before = odometer.metres
            odometer.move(
                to: Self.fix(place.0, place.1, seconds), accuracy: .random(in: -10...500, using: &generator),
                speed: Self.speed)
            #expect(odometer.metres >= before && odometer.earlier.count < Odometer.placeLimit)
            #expect(odometer.metres <= seconds * Double(Self.speed) / 60 * 1.5 + 0.001)
        }
        let counted = odometer.metres
        odometer.move(to: Self.fix(500_000, 0, seconds + 1), speed: Self.speed)
        #expect(odometer.metres == counted)
    }

    @Test(
        "O2: late and repeated points count nothing, and a batch in the wrong order counts as its newest",
        arguments: UInt64(1)...8)
    func late(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let fixes = (1...300).map { Self.fix(Double($0) * 10, 0, Double($0)) }
        var (straight, mixed) = (Self.odometer(), Self.odometer())
        for fix in fixes { straight.move(to: fix, speed: Self.speed) }
        for begin in stride(from: 0, to: 300, by: 10) {
            let batch = fixes[begin..<begin + 10]
            for fix in batch.shuffled(using: &generator) + batch { mixed.move(to: fix, speed: Self.speed) }
        }
        #expect(mixed.metres <= 3_000 && mixed.metres > 2_800 && straight.metres > 2_900)
        let isCounted = straight.move(to: fixes[0], speed: Self.speed)
        #expect(!isCounted)
    }

    @Test("O2: what is kept between two reports goes on as if nothing had been in between")
    func kept() throws {
        var noise = Noise(generator: SeededGenerator(), metres: 200)
        var (one, other) = (Self.odometer(), Self.odometer())
        for second in 1...500 {
            let fix = Self.fix(noise.next(), noise.next(), Double(second) * 3)
            one.move(to: fix, accuracy: 40, speed: Self.speed)
            other.move(to: fix, accuracy: 40, speed: Self.speed)
            let text = try JSONEncoder().encode(StoredWalk(other))
            let walk = try JSONDecoder().decode(StoredWalk.self, from: text)
            other = StoredWalk.odometer(metres: other.metres, base: other.base, walk)
            #expect(abs(one.metres - other.metres) < 0.01, "\(noise.generator)")
        }
        // A row of the version before goes on from its place.
        let old = StoredWalk.odometer(metres: 7, base: one.base, nil)
        #expect(old.metres == 7 && old.start == nil && old.base == one.base)
    }

    @Test("O2: fined is at most twice the way that was to be expected, from where the provider said yes")
    func fined() throws {
        let order = try SampleOrder.inState(.enRoute)
        let here = Fix(place: GeoPoint(order.place), at: Self.start)
        func way(_ metres: Double, from start: Fix?) -> Odometer {
            Odometer(metres: metres, start: start, earlier: [], here: Odometer.Mark(here))
        }
        let away = Self.fix(1_000, 0, 0)
        #expect(order.finedMetres(of: nil) == 0)
        #expect(order.finedMetres(of: way(900, from: away)) == 900)
        #expect(abs(order.finedMetres(of: way(90_000, from: away)) - 2_600) < 1)
        #expect(order.finedMetres(of: way(90_000, from: here)) == 0)
        #expect(order.finedMetres(of: way(90_000, from: nil)) == 90_000)
    }
}
