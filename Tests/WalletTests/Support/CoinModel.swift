import Foundation

@testable import SeraiWallet

/// A wallet coin by coin, each with where it came from: what ``CardMoney`` says of amounts, said anew without any.
struct CoinModel {
    struct Coin: Hashable {
        /// The top-up; nil of what came otherwise.
        let source: UUID?
        let day: Double
        /// When it may leave.
        let end: Double
    }

    private enum Slot {
        case coin(Coin)
        case debt(Int)
    }

    private(set) var coins: [Coin] = []
    private var slots: [UUID: [Slot]] = [:]
    private var debts: [(id: Int, subject: UUID)] = []
    private var made = 0

    var balance: Int { coins.count - debts.count }

    func free(at day: Double) -> Int { coins.count { $0.end <= day } }
    func left(of source: UUID) -> Int { coins.count { $0.source == source } }

    mutating func come(_ coin: Coin) {
        guard let debt = debts.first else { return coins.append(coin) }
        debts.removeFirst()
        let place = slots[debt.subject]?.firstIndex { if case .debt(debt.id) = $0 { true } else { false } }
        if let place { slots[debt.subject]?[place] = .coin(coin) }
    }

    /// The newest of a card's first, then what is free; then it is owed.
    mutating func spend(for subject: UUID, of source: UUID? = nil) {
        let own = source.flatMap { source in coins.indices.last { coins[$0].source == source } }
        let card = coins.indices.filter { coins[$0].source != nil }.max { coins[$0].day < coins[$1].day }
        guard let index = own ?? card ?? coins.indices.last else {
            made += 1
            debts.append((made, subject))
            slots[subject, default: []].append(.debt(made))
            return
        }
        slots[subject, default: []].append(.coin(coins.remove(at: index)))
    }

    /// What is free first, then what was the first that could leave.
    mutating func cashOut(for subject: UUID) {
        let free = coins.indices.first { coins[$0].source == nil }
        guard let index = free ?? coins.indices.min(by: { coins[$0].end < coins[$1].end }) else { return }
        slots[subject, default: []].append(.coin(coins.remove(at: index)))
    }

    /// The last that was taken for it.
    mutating func back(of subject: UUID) {
        switch slots[subject]?.popLast() {
        case .coin(let coin)?: come(coin)
        case .debt(let id)?: debts.removeAll { $0.id == id }
        case nil: break
        }
    }
}
