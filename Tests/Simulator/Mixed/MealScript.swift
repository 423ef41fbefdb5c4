import Contracts
import Foundation
import Phones
import Synchronization

/// Which restaurant cooks which order: the courier says the code there.
final class Kitchens: Sendable {
    private let known = Mutex<[UUID: RideTown.Kitchen]>([:])

    subscript(order: UUID) -> RideTown.Kitchen? { known.withLock { $0[order] } }

    func note(_ order: UUID, of kitchen: RideTown.Kitchen) { known.withLock { $0[order] = kitchen } }
}

/// Somebody orders a meal, pays, and gets it.
struct MealScript: Script {
    let eater: Payer
    let kitchen: RideTown.Kitchen
    let home: Coordinate
    let number: Int
    let perth: RideTown
    let kitchens: Kitchens
    let stage: Stage

    func run() async throws {
        var generator = stage.generator("meal", number)
        let order = try await perth.meal(eater.person, of: kitchen, to: home).id
        kitchens.note(order, of: kitchen)
        stage.ordered(order, by: eater.person.account)
        stage.asks(for: order)
        try await eater.pay(order, by: generator.chance(50) ? "card" : "wallet", within: stage.patience)
        try await Meeting(customer: eater, order: order, stage: stage).seeThrough()
    }
}

/// A restaurant's day: takes what it is asked for, and has it ready at once.
struct KitchenScript: Script {
    let kitchen: RideTown.Kitchen
    let perth: RideTown
    let stage: Stage

    func run() async throws {
        await withDiscardingTaskGroup { group in
            var index = 0
            while !Task.isCancelled {
                guard let entries = await Self.next(kitchen.owner.stream.log, from: &index) else { break }
                for case let order? in entries.map(\.order) where order.state == .requested {
                    group.addTask {
                        await stage.play("order \(order.id.path), restaurant", Cooking(order: order.id, day: self))
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// What was said since the index, or nil when the day is over.
    static func next(_ log: StreamLog, from index: inout Int) async -> [StreamLog.Entry]? {
        // try?: cancelled is the end of the day.
        guard let entries = try? await log.entries(from: index, within: .seconds(60)) else { return nil }
        index += entries.count
        return entries
    }

    private struct Cooking: Script {
        let order: UUID
        let day: KitchenScript

        func run() async throws {
            let isTaken = try await day.stage.tolerating { try await day.perth.prepare(order, day.kitchen) }
            guard isTaken else { return }
            try await Task.sleep(for: Timing.work)
            try await day.stage.tolerating { try await day.kitchen.owner.phone.act("ready", on: order) }
        }
    }
}
