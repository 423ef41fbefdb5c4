import Matching
import TestKit
import Testing

@Suite("Prices", .timeLimit(.minutes(15)))
struct PriceTests {
    private let rule = Surge.Rule(capPercent: 200)

    @Test("C7: the surge follows waiting orders a free provider, in steps, and tells what it was made of")
    func surge() {
        func percent(_ waiting: Int, _ free: Int) -> Int { Surge(waiting: waiting, free: free, rule: rule).percent }
        #expect(percent(0, 0) == 100)
        #expect(percent(10, 10) == 100)
        #expect(percent(10, 20) == 100)
        // 15 to 10 is half an order more for each: a quarter, down to the step.
        #expect(percent(15, 10) == 120)
        #expect(percent(20, 10) == 150)
        #expect(percent(30, 10) == 200)
        let surge = Surge(waiting: 15, free: 10, rule: rule)
        #expect((surge.waiting, surge.free, surge.uncappedPercent, surge.isCapped) == (15, 10, 120, false))
    }

    @Test("C7: the market's cap binds, whatever happens")
    func cap() {
        var generator = SeededGenerator()
        for _ in 0..<2_000 {
            let cap = Int.random(in: 0...400, using: &generator)
            let rule = Surge.Rule(capPercent: cap, percentPerOrder: .random(in: 0...300, using: &generator))
            let surge = Surge(
                waiting: .random(in: -5...3_000, using: &generator), free: .random(in: -5...50, using: &generator),
                rule: rule)
            #expect((100...max(100, cap)).contains(surge.percent), "\(generator)")
            #expect(surge.isCapped == (surge.uncappedPercent > surge.percent), "\(generator)")
        }
        let most = Surge(waiting: .max, free: 0, rule: rule)
        #expect(most.percent == 200 && most.isCapped)
        #expect(Surge(waiting: 50, free: 0, rule: Surge.Rule(capPercent: 100)).percent == 100)
    }

    @Test("C7: one more order never makes it cheaper, one more provider never dearer, and two orders are chance")
    func monotonous() {
        for waiting in 0..<60 {
            for free in 0..<30 {
                let surge = Surge(waiting: waiting, free: free, rule: rule)
                #expect(surge.uncappedPercent <= Surge(waiting: waiting + 1, free: free, rule: rule).uncappedPercent)
                #expect(surge.uncappedPercent >= Surge(waiting: waiting, free: free + 1, rule: rule).uncappedPercent)
                if waiting < rule.leastWaiting { #expect(surge.percent == 100) }
            }
        }
    }

    @Test("C7: the surge counts those near the place, not those in the rest of the town")
    func area() {
        let near = (0..<6).map { SampleRound.north(Double($0) * 100) }
        let far = (0..<50).map { SampleRound.north(10_000 + Double($0)) }
        let surge = Surge(at: SampleRound.center, waiting: near, free: near.prefix(3) + far, rule: rule)
        #expect((surge.waiting, surge.free, surge.percent) == (6, 3, 150))
        #expect(Surge(at: SampleRound.center, waiting: far, free: near, rule: rule).percent == 100)
    }

    private let regular = Tariff(
        base: 290, perKilometre: 175, perMinute: 40, minimum: 900, perWaitingMinute: 55, freeWaitSeconds: 120)

    @Test("C7: a fare is base, way and time by the tariff, rounded to minor units, with its parts adding up")
    func fare() {
        let fare = regular.fare(metres: 8_420, seconds: 1_130)
        #expect((fare.base, fare.distance, fare.time) == (290, 1_474, 753))
        #expect((fare.toMinimum, fare.surge, fare.wait) == (0, 0, 0))
        #expect(fare.total == 2_517)
    }

    @Test("C7: a short ride costs the minimum")
    func minimum() {
        let fare = regular.fare(metres: 900, seconds: 120)
        #expect(fare.total == 900)
        #expect(fare.base + fare.distance + fare.time + fare.toMinimum == 900)
        #expect(regular.fare(metres: -5, seconds: -5) == regular.fare(metres: 0, seconds: 0))
    }

    @Test("C7: the surge is on the ride and not on the waiting, of which the first minutes are free")
    func surgeAndWait() {
        let fare = regular.fare(metres: 10_000, seconds: 600, waitSeconds: 300, surgePercent: 150)
        #expect(fare.surge == (290 + 1_750 + 400) / 2)
        #expect(fare.wait == 165)
        #expect(fare.total == 290 + 1_750 + 400 + 1_220 + 165)
        #expect(regular.fare(metres: 10_000, seconds: 600, waitSeconds: 120).wait == 0)
        #expect(regular.fare(metres: 10_000, seconds: 600, surgePercent: 50).surge == 0)
    }

    @Test("C7: a ride that ends early is charged by the tariff, never above the quote")
    func early() {
        let quoted = regular.fare(metres: 8_000, seconds: 900).total
        #expect(regular.fare(metres: 3_000, seconds: 400).capped(byQuote: quoted) < quoted)
        #expect(regular.fare(metres: 30_000, seconds: 4_000).capped(byQuote: quoted) == quoted)
    }

    @Test("C7: a longer way or time never costs less")
    func monotonousFare() {
        var generator = SeededGenerator()
        for _ in 0..<1_000 {
            let metres = Int.random(in: 0...100_000, using: &generator)
            let seconds = Int.random(in: 0...10_000, using: &generator)
            let surge = Int.random(in: 100...300, using: &generator)
            let fare = regular.fare(metres: metres, seconds: seconds, surgePercent: surge)
            let longer = regular.fare(metres: metres + 500, seconds: seconds + 60, surgePercent: surge)
            #expect(longer.total >= fare.total && fare.total >= regular.minimum, "\(generator)")
            #expect(fare.total * 100 >= (fare.total - fare.surge) * surge - 50, "\(generator)")
        }
    }
}
