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

    /// A phone that posts, and what is counted of it.
    struct Walk {
        private(set) var steady: GeoPoint
        private(set) var odometer: Odometer

        init(at fix: Fix, accuracy: Double? = nil) {
            steady = fix.place
            odometer = Odometer(base: fix, accuracy: accuracy)
        }

        mutating func post(_ fix: Fix, accuracy: Double? = nil, speed: Int = OdometerTests.speed) {
            steady = PositionSmoothing.following(fix.place, after: steady, accuracy: accuracy)
            odometer.move(to: Fix(place: steady, at: fix.at), accuracy: accuracy, speed: speed)
        }
    }

    /// Errors of a phone: normally distributed, of so many metres in each direction.
    struct Noise {
        var generator: SeededGenerator
        let metres: Double

        mutating func next() -> Double {
            let radius = (-2 * log(Double.random(in: 0.000_000_1...1, using: &generator))).squareRoot()
            return metres * radius * cos(.random(in: 0..<2 * .pi, using: &generator))
        }
    }

    @Test(
        "O2: fifteen minutes of zigzag between two points count them once, whatever the width, rate and claimed accuracy",
        arguments: [30, 60, 100, 150, 250, 290.0], [0.1, 0.5, 1, 5, 20.0])
    func zigzag(width: Double, rate: Double) {
        for accuracy in [nil, 0, 5, 1_000_000, -1, .nan, .infinity] as [Double?] {
            var walk = Walk(at: Self.fix(0, 0, 0), accuracy: accuracy)
            for step in 1...Int(900 * rate) {
                let north = step.isMultiple(of: 2) ? 0 : width
                walk.post(Self.fix(north, 0, Double(step) / rate), accuracy: accuracy)
            }
            #expect(walk.odometer.metres < 300, "accuracy \(String(describing: accuracy))")
        }
    }

    @Test("O2: a zigzag with points in between, at any speed that may be driven, counts its street once")
    func zigzagAlongAStreet() {
        for metresPerSecond in [3, 8, 12, 30.0] {
            var walk = Walk(at: Self.fix(0, 0, 0))
            for second in 1...900 {
                let way = (Double(second) * metresPerSecond).truncatingRemainder(dividingBy: 400)
                walk.post(Self.fix(min(way, 400 - way), 0, Double(second)))
            }
            #expect(walk.odometer.metres < 300, "\(metresPerSecond) m/s")
        }
    }

    @Test(
        "O2: fifteen minutes of a zigzag round three or four corners, or at random within them, count no more than its edges"
    )
    func zigzagRoundCorners() {
        let corners = [(0.0, 0.0), (70.0, 0.0), (70.0, 70.0), (0.0, 70.0)]
        for (count, pause) in [(3, 1.0), (4, 1.0), (4, 2.0), (4, 5.0)] {
            var (walk, random) = (Walk(at: Self.fix(0, 0, 0)), Walk(at: Self.fix(0, 0, 0)))
            var generator = SeededGenerator(seed: 4)
            for step in 1...Int(900 / pause) {
                let corner = corners[step % count]
                walk.post(Self.fix(corner.0, corner.1, Double(step) * pause))
                let other = corners[Int.random(in: 0..<count, using: &generator)]
                random.post(Self.fix(other.0, other.1, Double(step) * pause))
            }
            #expect(walk.odometer.metres < 300 && random.odometer.metres < 300, "\(count) \(pause)")
        }
    }

    @Test(
        "O2: an honest drive at 1 Hz with 15 m of noise is right within 5 %, on foot, by bike and in a car",
        arguments: [1.4, 3, 8, 12, 20.0], UInt64(1)...8)
    func honest(metresPerSecond: Double, seed: UInt64) {
        var noise = Noise(generator: SeededGenerator(seed: seed), metres: 15)
        var walk = Walk(at: Self.fix(noise.next(), noise.next(), 0))
        let seconds = Int(8_000 / metresPerSecond)
        for second in 1...seconds {
            let north = Double(second) * metresPerSecond + noise.next()
            walk.post(Self.fix(north, noise.next(), Double(second)), speed: 1_500)
        }
        let way = Double(seconds) * metresPerSecond
        #expect(abs(walk.odometer.metres - way) <= way * 0.05, "\(walk.odometer.metres) of \(way)")
    }

    @Test("O2: round corners and with stops at lights a drive is right within 5 %", arguments: UInt64(1)...16)
    func streets(seed: UInt64) {
        var noise = Noise(generator: SeededGenerator(seed: seed), metres: 15)
        var walk = Walk(at: Self.fix(0, 0, 0))
        var (north, east, way) = (0.0, 0.0, 0.0)
        for second in 1...1_800 {
            // A minute of driving, half a minute at a light; a corner each 300 m.
            if second % 90 < 60 {
                if Int(way / 300).isMultiple(of: 2) { north += 10 } else { east += 10 }
                way += 10
            }
            walk.post(Self.fix(north + noise.next(), east + noise.next(), Double(second)), speed: 1_500)
        }
        #expect(abs(walk.odometer.metres - way) <= way * 0.05, "\(walk.odometer.metres) of \(way)")
    }

    @Test("O2: an hour at rest with 15 m of noise counts next to nothing", arguments: UInt64(1)...8)
    func atRest(seed: UInt64) {
        var noise = Noise(generator: SeededGenerator(seed: seed), metres: 15)
        var walk = Walk(at: Self.fix(0, 0, 0))
        for second in 1...3_600 { walk.post(Self.fix(noise.next(), noise.next(), Double(second))) }
        #expect(walk.odometer.metres < 150)
    }

    @Test("the steady place crosses the meridian of dates, and follows a jump at once")
    func steady() {
        let last = GeoPoint(latitude: 10, longitude: 179.9999)
        let next = PositionSmoothing.following(
            GeoPoint(latitude: 10, longitude: -179.9999), after: last, accuracy: nil)
        #expect(last.metres(to: next) < 22 && abs(next.longitude) > 179.999)
        let far = GeoPoint(latitude: 11, longitude: 170)
        #expect(PositionSmoothing.following(far, after: last, accuracy: nil) == far)
        #expect(PositionSmoothing.following(last, after: nil, accuracy: nil) == last)
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
        var noise = Noise(generator: SeededGenerator(), metres: 120)
        var (one, other) = (Self.odometer(), Self.odometer())
        for second in 1...500 {
            let fix = Self.fix(noise.next(), noise.next(), Double(second) * 3)
            one.move(to: fix, accuracy: 40, speed: Self.speed)
            other.move(to: fix, accuracy: 40, speed: Self.speed)
            let text = try JSONEncoder().encode(StoredOdometerState(other))
            let walk = try JSONDecoder().decode(StoredOdometerState.self, from: text)
            other = StoredOdometerState.odometer(metres: other.metres, base: other.base, walk)
            #expect(abs(one.metres - other.metres) < 0.01, "\(noise.generator)")
        }
        // A row of the version before goes on from its place.
        let old = StoredOdometerState.odometer(metres: 7, base: one.base, nil)
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
