import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Money from cards in a wallet's history")
struct CardMoneyTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static func day(_ days: Double) -> Date { start.addingTimeInterval(days * 86_400) }

    private static func entry(
        _ amount: Int, _ kind: Transfer.Kind, day: Double = 0, of subject: UUID = .timeOrdered(), card: Bool = false
    ) -> CardMoney.Entry {
        CardMoney.Entry(
            amount: amount, at: Self.day(day), kind: kind, subject: subject, cardMarket: card ? "assef" : nil)
    }

    private static func leaving(_ history: [CardMoney.Entry], day: Double, opening: Int = 0) -> CardMoney.Leaving {
        CardMoney(opening: opening, history).leaving(at: Self.day(day), CardHolds())
    }

    @Test("W5: what came from a card leaves after its days, and nothing else waits with it")
    func held() {
        let history = [Self.entry(500, .capture), Self.entry(1_000, .topUp, day: 1, card: true)]
        #expect(Self.leaving(history, day: 2) == .init(now: 500, later: [.init(at: Self.day(15), amount: 1_000)]))
        #expect(Self.leaving(history, day: 15) == .init(now: 1_500, later: []))
        let short = CardHolds(days: ["assef": 1], otherDays: 14)
        #expect(CardMoney(opening: 0, history).leaving(at: Self.day(2), short).now == 1_500)
    }

    @Test("W5: who tops up and pays has paid with that; what was earned stays free")
    func spent() {
        var history = [Self.entry(700, .capture), Self.entry(1_000, .topUp, day: 1, card: true)]
        history.append(Self.entry(-600, .tip, day: 2))
        #expect(Self.leaving(history, day: 3) == .init(now: 700, later: [.init(at: Self.day(15), amount: 400)]))
        history.append(Self.entry(-700, .tip, day: 3))
        #expect(Self.leaving(history, day: 4) == .init(now: 400, later: []))
    }

    @Test("W5: what a hold has taken from a card's money comes back as that, with its time, in parts too")
    func returned() {
        let order = UUID.timeOrdered()
        var history = [
            Self.entry(300, .capture), Self.entry(1_000, .topUp, day: 1, card: true),
            Self.entry(-1_200, .hold, day: 2, of: order),
        ]
        #expect(Self.leaving(history, day: 3) == .init(now: 100, later: []))
        // What was taken last, and was free, is back first.
        history.append(Self.entry(500, .release, day: 9, of: order))
        #expect(Self.leaving(history, day: 9) == .init(now: 300, later: [.init(at: Self.day(15), amount: 300)]))
        history.append(Self.entry(700, .refund, day: 10, of: order))
        #expect(Self.leaving(history, day: 10) == .init(now: 300, later: [.init(at: Self.day(15), amount: 1_000)]))
    }

    @Test("W5: a cash-out takes what is free, and brings it back as that when it fails")
    func cashedOut() {
        let cashOut = UUID.timeOrdered()
        var history = [
            Self.entry(300, .capture), Self.entry(1_000, .topUp, day: 1, card: true),
            Self.entry(-300, .cashOut, day: 2, of: cashOut),
        ]
        #expect(Self.leaving(history, day: 2).now == 0 && Self.leaving(history, day: 2).held == 1_000)
        history.append(Self.entry(300, .cashOutReturn, day: 3, of: cashOut))
        #expect(Self.leaving(history, day: 3).now == 300)
    }

    @Test("W5: what is owed is paid by a card's money first, and what is left of that waits")
    func owed() {
        let history = [
            Self.entry(-400, .fine), Self.entry(1_000, .topUp, day: 1, card: true), Self.entry(50, .capture, day: 1),
        ]
        #expect(Self.leaving(history, day: 2) == .init(now: 50, later: [.init(at: Self.day(15), amount: 600)]))
        #expect(Self.leaving(Array(history.prefix(1)), day: 2) == .init(now: 0, later: []))
    }

    @Test("W5: whatever is done, no more leaves than came otherwise or long enough ago, wherever the history begins")
    func walks() {
        var random = SeededGenerator()
        for _ in 0..<300 {
            var history: [CardMoney.Entry] = []
            var (balance, free, out) = (0, 0, 0)
            var cards: [(day: Double, amount: Int)] = []
            var open: [(UUID, Int)] = []
            var now = 0.0
            for _ in 0..<60 {
                now += Double.random(in: 0..<1.5, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    let amount = Int.random(in: 1..<1_000, using: &random)
                    history.append(Self.entry(amount, .topUp, day: now, card: true))
                    cards.append((now, amount))
                    balance += amount
                case 1:
                    let amount = Int.random(in: 1..<1_000, using: &random)
                    history.append(Self.entry(amount, .capture, day: now))
                    free += amount
                    balance += amount
                case 2 where balance > 0:
                    let (order, amount) = (UUID.timeOrdered(), Int.random(in: 1...balance, using: &random))
                    history.append(Self.entry(-amount, .hold, day: now, of: order))
                    open.append((order, amount))
                    balance -= amount
                case 3 where !open.isEmpty:
                    let index = Int.random(in: 0..<open.count, using: &random)
                    let back = Int.random(in: 1...open[index].1, using: &random)
                    history.append(Self.entry(back, .release, day: now, of: open[index].0))
                    balance += back
                    open[index].1 -= back
                    if open[index].1 == 0 { open.remove(at: index) }
                default:
                    let leaving = Self.leaving(history, day: now)
                    #expect(leaving.now + leaving.held == balance)
                    // The same where the history is read only as far back as it counts.
                    let kept = history.drop { $0.at <= Self.day(now - 14) }
                    let before = history.prefix(history.count - kept.count).reduce(0) { $0 + $1.amount }
                    #expect(Self.leaving(Array(kept), day: now, opening: before) == leaving)
                    guard leaving.now > 0 else { continue }
                    let amount = Int.random(in: 1...leaving.now, using: &random)
                    history.append(Self.entry(-amount, .cashOut, day: now))
                    balance -= amount
                    out += amount
                    let old = cards.filter { $0.day <= now - 14 }.reduce(0) { $0 + $1.amount }
                    #expect(out <= free + old, "\(random)")
                }
            }
        }
    }

    @Test("W5: an admin sees where money came from; what only came back counts as nothing")
    func sources() {
        let (paid, lost) = (UUID.timeOrdered(), UUID.timeOrdered())
        let sources = MoneySources([
            Self.entry(1_000, .topUp, card: true), Self.entry(300, .capture), Self.entry(50, .tip),
            Self.entry(-400, .hold, of: paid), Self.entry(-200, .hold, of: lost), Self.entry(200, .release, of: lost),
            Self.entry(70, .refund), Self.entry(90, .depositForfeit),
        ])
        #expect(sources.cards == 1_000 && sources.earnings == 350 && sources.refunds == 70 && sources.other == 90)
        #expect(sources.spent == 400)
    }
}
