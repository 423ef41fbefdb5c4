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
        _ amount: Int, _ kind: Transfer.Kind, day: Double = 0, of subject: UUID = .timeOrdered(), card: Bool = false,
        in market: String = "assef", source: UUID? = nil
    ) -> CardMoney.Entry {
        CardMoney.Entry(
            amount: amount, at: Self.day(day), kind: kind, subject: subject, cardMarket: card ? market : nil,
            source: source)
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

    @Test("W5: what goes back to a card takes that card's own money, and a spent part has none")
    func ownPart() {
        let (first, second) = (UUID.timeOrdered(), UUID.timeOrdered())
        var history = [
            Self.entry(1_000, .topUp, of: first, card: true), Self.entry(-1_000, .hold, day: 1),
            Self.entry(1_000, .topUp, day: 2, of: second, card: true),
        ]
        #expect(CardMoney(opening: 0, history).left(of: first) == 0)
        #expect(CardMoney(opening: 0, history).left(of: second) == 1_000)
        // The newer one is spent first; the older one goes back, however old it is, and leaves nothing for a cash-out.
        history = [
            Self.entry(1_000, .topUp, of: first, card: true),
            Self.entry(1_000, .topUp, day: 20, of: second, card: true),
            Self.entry(-300, .tip, day: 21),
        ]
        #expect(CardMoney(opening: 0, history).left(of: first) == 1_000)
        #expect(CardMoney(opening: 0, history).left(of: second) == 700)
        history.append(Self.entry(-1_000, .topUpReturn, day: 22, of: first, source: first))
        #expect(Self.leaving(history, day: 22) == .init(now: 0, later: [.init(at: Self.day(34), amount: 700)]))
        // So does a dispute of the older one; above that it takes what there is.
        history[3] = Self.entry(-1_000, .dispute, day: 22, source: first)
        #expect(Self.leaving(history, day: 22) == .init(now: 0, later: [.init(at: Self.day(34), amount: 700)]))
        history.append(Self.entry(-200, .dispute, day: 23, source: first))
        #expect(CardMoney(opening: 0, history).left(of: second) == 500)
    }

    @Test("W5: a card's money that has paid a debt is that card's when the debt's reason is undone, in parts too")
    func debtPaidByCard() {
        let (dispute, fine) = (UUID.timeOrdered(), UUID.timeOrdered())
        var history = [
            Self.entry(20_000, .topUp, card: true), Self.entry(-15_000, .hold, day: 1),
            Self.entry(-20_000, .dispute, day: 2, of: dispute),
            Self.entry(20_000, .topUp, day: 3, card: true),
            Self.entry(20_000, .disputeReturn, day: 4, of: dispute),
        ]
        #expect(
            Self.leaving(history, day: 4)
                == .init(
                    now: 0, later: [.init(at: Self.day(14), amount: 5_000), .init(at: Self.day(17), amount: 20_000)]))
        // A fine that earnings and a card have paid comes back as both.
        history = [
            Self.entry(-1_000, .fine, of: fine), Self.entry(300, .tip, day: 1),
            Self.entry(900, .topUp, day: 2, card: true), Self.entry(600, .refund, day: 3, of: fine),
        ]
        #expect(Self.leaving(history, day: 3) == .init(now: 0, later: [.init(at: Self.day(16), amount: 800)]))
        history.append(Self.entry(400, .refund, day: 4, of: fine))
        #expect(Self.leaving(history, day: 4) == .init(now: 300, later: [.init(at: Self.day(16), amount: 900)]))
        // What is still owed is owed no more.
        #expect(
            Self.leaving([Self.entry(-1_000, .fine, of: fine), Self.entry(1_000, .refund, of: fine)], day: 1).now == 0)
    }

    @Test("W5: where markets keep it for other times, a cash-out takes what may leave, not what came first")
    func otherTimes() {
        let holds = CardHolds(days: ["assef": 14, "btnc": 3], otherDays: 14)
        let history = [
            Self.entry(1_000, .topUp, card: true), Self.entry(1_000, .topUp, day: 1, card: true, in: "btnc"),
            Self.entry(-1_000, .cashOut, day: 5),
        ]
        let money = CardMoney(opening: 0, history, holds: holds)
        #expect(money.leaving(at: Self.day(5), holds) == .init(now: 0, later: [.init(at: Self.day(14), amount: 1_000)]))
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
