import Contracts
import Foundation
import Phones

/// Somebody is driven through Perth: quoted, paid, driven, confirmed.
struct RideScript: Script {
    let rider: Payer
    let place: Coordinate
    let number: Int
    let perth: RideTown
    let stage: Stage

    func run() async throws {
        var generator = stage.generator("ride", number)
        let quote = try await perth.quote(rider.person, from: place)
        let order = try await perth.ride(rider.person, by: quote).id
        stage.ordered(order, by: rider.person.account)
        if generator.chance(4) {
            try await stage.tolerating { try await rider.phone.act("cancel", on: order, ["reason": "on foot"]) }
            return
        }
        stage.asks(for: order)
        try await rider.pay(order, by: generator.chance(60) ? "card" : "wallet", within: stage.patience)
        if generator.chance(4) {
            // A driver may have it by now, and a late cancellation costs: so only while nobody has.
            try await stage.tolerating { try await rider.phone.act("cancel", on: order, ["reason": "on foot"]) }
        }
        try await Meeting(customer: rider, order: order, stage: stage).seeThrough()
    }
}

/// The customer's part of a ride or a meal from the payment on: sees who comes, says that they have met, there and at
/// the destination, and confirms.
struct Meeting: Sendable {
    let customer: Payer
    let order: UUID
    let stage: Stage

    func seeThrough() async throws {
        let coming: Set<OrderSnapshot.State> = [.accepted, .arrived, .inProgress]
        guard try await stage.goesOn(order, customer.stream, to: coming) else { return }
        // What a journey takes is too long here, and no phone's places can show it: the customer says that somebody came.
        try await meet()
        guard try await stage.goesOn(order, customer.stream, to: [.inProgress]) else { return }
        try await meet()
        let done = try await customer.stream.order(order, "the provider says it is done", within: stage.patience) {
            $0.state.isFinal || $0.snapshot.confirmedBy.contains(.provider)
        }
        guard !done.state.isFinal else { return }
        try await stage.tolerating { try await customer.phone.act("complete", on: order) }
        try await customer.stream.order(order, "the end", within: stage.patience) { $0.state.isFinal }
    }

    private func meet() async throws {
        try await stage.tolerating { try await customer.phone.act("met", on: order) }
    }
}
