import Contracts
import Foundation
import Phones

/// A parcel crosses Gothenburg: posted, paid, taken from the board with a deposit, carried.
struct ParcelScript: Script {
    let owner: Payer
    let carrier: Payer
    let place: Coordinate
    let number: Int
    let stage: Stage

    static let (payment, deposit) = (5_000, 9_000)
    static let centre = Coordinate(latitude: 57.70, longitude: 11.97)

    private struct Post: Encodable {
        let name = "A lamp"
        let origin, destination: Coordinate
        let payment = ParcelScript.payment
        let deposit = ParcelScript.deposit
        let grams = 900
        let fragile = true
    }

    private struct Board: Decodable, Sendable {
        struct Item: Decodable, Sendable {}
        let items: [Item]
    }

    func run() async throws {
        var generator = stage.generator("parcel", number)
        let market = "/dispatch/v1/markets/\(stage.market.id)"
        let destination = Coordinate(latitude: place.latitude + 0.02, longitude: place.longitude + 0.02)
        let post = Post(origin: place, destination: destination)
        let order = try await owner.phone.send(try .post("\(market)/parcels", post)).decode(OrderView.self).id
        stage.ordered(order, by: owner.person.account)
        try await owner.pay(order, by: generator.chance(50) ? "card" : "wallet", within: stage.patience)
        guard try await stage.goesOn(order, owner.stream, to: [.requested]) else { return }
        if generator.chance(5) {
            try await stage.tolerating { try await owner.phone.act("cancel", on: order, ["reason": "not today"]) }
            return
        }
        let board = "\(market)/board?latitude=\(place.latitude)&longitude=\(place.longitude)"
        _ = try await carrier.phone.send(.get(board)).decode(Board.self)
        guard try await stage.tolerating({ try await carrier.phone.act("take", on: order) }) else { return }
        let answered = try await owner.stream.order(order, "the deposit is there", within: stage.patience) {
            $0.state.isFinal || $0.event == "dispatch.order.deposited.v1" || $0.event == "dispatch.order.reopened.v1"
        }
        guard answered.event == "dispatch.order.deposited.v1" else { return }
        guard try await stage.persist("start", owner.phone, order) else { return }
        guard try await stage.goesOn(order, carrier.stream, to: [.inProgress]) else { return }
        try await Task.sleep(for: Timing.work)
        if generator.chance(50) {
            try await stage.tolerating { try await carrier.phone.act("complete", on: order) }
        }
        try await stage.tolerating { try await owner.phone.act("complete", on: order) }
        try await owner.stream.order(order, "the end", within: stage.patience) { $0.state.isFinal }
    }
}
