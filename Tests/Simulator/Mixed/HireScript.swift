import Contracts
import Foundation
import Phones

/// A bike from a rack: reserved, paid, unlocked by a code, and brought back.
struct HireScript: Script {
    let rider: Payer
    let rack: RideTown.Rack
    let number: Int
    let stage: Stage

    private struct Wish: Encodable {
        let rack: UUID
        var type = "city"
    }

    func run() async throws {
        var generator = stage.generator("hire", number)
        let path = "/dispatch/v1/markets/\(stage.market.id)/hires"
        let order = try await rider.phone.send(try .post(path, Wish(rack: rack.rack))).decode(OrderView.self).id
        stage.ordered(order, by: rider.person.account)
        try await rider.pay(order, by: generator.chance(50) ? "card" : "wallet", within: stage.patience)
        guard try await stage.goesOn(order, rider.stream, to: [.accepted]) else { return }
        if generator.chance(10) {
            try await stage.tolerating { try await rider.phone.act("cancel", on: order, ["reason": "rain"]) }
            return
        }
        let code: RideTown.UnlockCode = try await rider.phone.send(
            try .post("/dispatch/v1/hires/\(order.path)/code")
        ).decode()
        // The rack has a key, and no account.
        let machine = Phone(rider.phone.network)
        let bike: RideTown.Bike = try await machine.send(
            try .post("/dispatch/v1/racks/\(rack.rack.path)/pick-ups", code).byRack(rack.key)
        ).decode()
        try await Task.sleep(for: Timing.work)
        try await machine.send(try .post("/dispatch/v1/racks/\(rack.rack.path)/returns", bike).byRack(rack.key))
        try await rider.stream.order(order, "the end", within: stage.patience) { $0.state.isFinal }
    }
}
