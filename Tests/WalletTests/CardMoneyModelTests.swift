import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiWallet

/// Random lives of a wallet beside a model that knows each coin.
@Suite("Money from cards, coin by coin")
struct CardMoneyModelTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let holds = CardHolds(days: ["assef": 14, "btnc": 3], otherDays: 14)

    /// A top-up, and what the payment provider knows of it.
    private struct TopUp {
        let id: UUID
        let day: Double
        let end: Double
        let amount: Int
        /// By its owner's word, or at the bank.
        var toCard = 0
        var dispute: (id: UUID, amount: Int)?
    }

    private struct Life {
        var random: SeededGenerator
        var model = CoinModel()
        var rows: [ListWalletHistory.Row] = []
        var topUps: [TopUp] = []
        /// What may come back in part, and how.
        var open: [(subject: UUID, left: Int, kind: Transfer.Kind)] = []
        var earned = 0
        var out = 0
        var now = 0.0

        mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

        /// Newest first, as the ledger is read.
        mutating func write(
            _ amount: Int, _ kind: Transfer.Kind, of subject: UUID, market: String? = nil, source: TopUp? = nil
        ) {
            func date(_ day: Double) -> Date { CardMoneyModelTests.start.addingTimeInterval(day * 86_400) }
            let entry = CardMoney.Entry(
                amount: amount, at: date(now), kind: kind, subject: subject, cardMarket: market, source: source?.id,
                sourceSince: (source?.day).map(date))
            let before = rows.first.map { $0.before + $0.entry.amount } ?? 0
            rows.insert(ListWalletHistory.Row(id: rows.count, before: before, entry: entry), at: 0)
        }
    }

    private static func money(_ life: Life, since day: Double? = nil, isWhole: Bool = false) -> CardMoney {
        func date(_ day: Double) -> Date { start.addingTimeInterval(day * 86_400) }
        var reach = WalletHistory.Reach(holds, since: day.map(date), at: date(life.now))
        reach.look(at: life.rows)
        let rows = isWhole ? life.rows[...] : life.rows.prefix(reach.kept)
        let newest = life.rows.first.map { $0.before + $0.entry.amount } ?? 0
        return CardMoney(opening: rows.last?.before ?? newest, rows.reversed().map(\.entry), holds: holds)
    }

    @Test(
        "W5: no money of a card leaves before its time but to that card, and to a card never more than came from it, whatever is done"
    )
    func lives() {
        for _ in 0..<80 {
            var life = Life(random: SeededGenerator())
            for _ in 0..<70 {
                life.now += Double.random(in: 0..<1.5, using: &life.random)
                step(&life)
                check(life)
            }
        }
    }

    private func check(_ life: Life) {
        let seed = "\(life.random)"
        let moment = Self.start.addingTimeInterval(life.now * 86_400)
        let (read, whole) = (Self.money(life), Self.money(life, isWhole: true))
        let leaving = read.leaving(at: moment, Self.holds)
        #expect(leaving == whole.leaving(at: moment, Self.holds), "\(seed)")
        #expect(leaving.now == life.model.free(at: life.now), "\(seed)")
        #expect(leaving.now + leaving.held == max(life.model.balance, 0), "\(seed)")
        // Whatever the order in which money is spent: what left was earned, or a card's long enough ago.
        let old = life.topUps.filter { $0.end <= life.now }.reduce(0) { $0 + $1.amount }
        #expect(life.out <= life.earned + old, "\(seed)")
        #expect(life.topUps.allSatisfy { $0.toCard <= $0.amount }, "\(seed)")
        let isLeftRight = life.topUps.allSatisfy { topUp in
            let left = Self.money(life, since: topUp.day).left(of: topUp.id)
            return left == life.model.left(of: topUp.id) && left == whole.left(of: topUp.id)
        }
        #expect(isLeftRight, "\(seed)")
    }

    private func step(_ life: inout Life) {
        switch life.number(0...9) {
        case 0, 1: topUp(&life)
        case 2: earn(&life)
        case 3: spend(life.number(1...max(life.model.balance, 1)), .hold, &life)
        // Below zero if need be.
        case 4: spend(life.number(1...25), .fine, &life)
        case 5, 6: back(&life)
        case 7: giveBack(&life)
        case 8: dispute(&life)
        default: cashOut(&life)
        }
    }

    private func topUp(_ life: inout Life) {
        let (id, market) = (UUID.timeOrdered(), life.number(0...1) == 0 ? "assef" : "btnc")
        let end = life.now + Double(Self.holds.days[market] ?? 14)
        let topUp = TopUp(id: id, day: life.now, end: end, amount: life.number(1...30))
        life.topUps.append(topUp)
        for _ in 0..<topUp.amount { life.model.come(.init(source: id, day: life.now, end: end)) }
        life.write(topUp.amount, .topUp, of: id, market: market)
    }

    private func earn(_ life: inout Life) {
        let amount = life.number(1...15)
        life.earned += amount
        for _ in 0..<amount { life.model.come(.init(source: nil, day: life.now, end: 0)) }
        life.write(amount, .tip, of: .timeOrdered())
    }

    private func spend(_ amount: Int, _ kind: Transfer.Kind, _ life: inout Life) {
        guard kind == .fine || life.model.balance >= amount else { return }
        let subject = UUID.timeOrdered()
        for _ in 0..<amount { life.model.spend(for: subject) }
        life.write(-amount, kind, of: subject)
        life.open.append((subject, amount, kind == .fine ? .refund : .release))
    }

    /// Of a hold, a fine, or a cash-out that fails.
    private func back(_ life: inout Life) {
        guard !life.open.isEmpty else { return }
        let index = life.number(0...(life.open.count - 1))
        let (subject, left, kind) = life.open[index]
        let amount = kind == .cashOutReturn ? left : life.number(1...left)
        for _ in 0..<amount { life.model.back(of: subject) }
        life.write(amount, kind, of: subject)
        if kind == .cashOutReturn { life.out -= amount }
        life.open[index].left -= amount
        if amount == left { life.open.remove(at: index) }
    }

    /// As ``ReturnTopUp``: what is left of it, here and at the payment provider.
    private func giveBack(_ life: inout Life) {
        guard !life.topUps.isEmpty else { return }
        let index = life.number(0...(life.topUps.count - 1))
        let topUp = life.topUps[index]
        guard topUp.dispute == nil else { return }
        let amount = min(Self.money(life, since: topUp.day).left(of: topUp.id), topUp.amount - topUp.toCard)
        guard amount > 0 else { return }
        for _ in 0..<amount { life.model.spend(for: topUp.id, of: topUp.id) }
        life.topUps[index].toCard += amount
        life.write(-amount, .topUpReturn, of: topUp.id, source: topUp)
    }

    /// The bank takes back all that the payment provider has of it, or decides otherwise later.
    private func dispute(_ life: inout Life) {
        guard !life.topUps.isEmpty else { return }
        let index = life.number(0...(life.topUps.count - 1))
        let topUp = life.topUps[index]
        if let (id, amount) = topUp.dispute {
            for _ in 0..<amount { life.model.back(of: id) }
            life.write(amount, .disputeReturn, of: id)
            life.topUps[index].dispute = nil
            life.topUps[index].toCard -= amount
        } else if topUp.amount > topUp.toCard {
            let (id, amount) = (UUID.timeOrdered(), topUp.amount - topUp.toCard)
            for _ in 0..<amount { life.model.spend(for: id, of: topUp.id) }
            life.write(-amount, .dispute, of: id, source: topUp)
            life.topUps[index].dispute = (id, amount)
            life.topUps[index].toCard += amount
        }
    }

    private func cashOut(_ life: inout Life) {
        let moment = Self.start.addingTimeInterval(life.now * 86_400)
        let most = Self.money(life).leaving(at: moment, Self.holds).now
        guard most > 0 else { return }
        let (subject, amount) = (UUID.timeOrdered(), life.number(1...most))
        for _ in 0..<amount { life.model.cashOut(for: subject) }
        life.write(-amount, .cashOut, of: subject)
        life.out += amount
        life.open.append((subject, amount, .cashOutReturn))
    }
}
