import Contracts
import Foundation
import Phones

/// A visit of a care partner in Regina: ordered, paid, sent by the desk, confirmed, done.
struct CareScript: Script {
    let client: Payer
    let partner: Newcomer
    let number: Int
    let stage: Stage

    static let home = Coordinate(latitude: 50.45, longitude: -104.6)

    private struct Wish: Encodable {
        var services = ["companionship"]
        var place = CareScript.home
        /// Nil is at once.
        var time: String?
        let total: Money
    }

    func run() async throws {
        var generator = stage.generator("care", number)
        let defaults = stage.market.defaults
        let price = Money(amount: defaults.servicePrices["companionship"] ?? 0, currency: defaults.currency)
        let path = "/dispatch/v1/markets/\(stage.market.id)/visits"
        let order = try await client.phone.send(try .post(path, Wish(total: price))).decode(OrderView.self).id
        stage.ordered(order, by: client.person.account)
        try await client.pay(order, by: generator.chance(50) ? "card" : "wallet", within: stage.patience)
        guard try await stage.goesOn(order, client.stream, to: [.requested]) else { return }
        if generator.chance(5) {
            try await stage.tolerating { try await stage.desk.phone.act("refusal", on: order, ["reason": "nobody"]) }
            stage.observations.update { $0.deskActs[order, default: []].append("order.refused") }
            return
        }
        stage.asks(for: order)
        guard try await assign(order) else { return }
        stage.observations.update { $0.deskActs[order, default: []].append("order.assigned") }
        try await partner.stream.order(order, "the desk asks", within: stage.patience) { $0.state == .offered }
        guard try await stage.tolerating({ try await partner.phone.act("accept", on: order) }) else { return }
        guard try await stage.goesOn(order, client.stream, to: [.accepted]) else { return }
        try await stage.tolerating { try await client.phone.act("met", on: order) }
        guard try await stage.persist("start", partner.phone, order) else { return }
        try await Task.sleep(for: Timing.work)
        try await stage.tolerating { try await partner.phone.act("complete", on: order) }
        try await client.stream.order(order, "the end", within: stage.patience) { $0.state.isFinal }
    }

    /// - Returns: whether the visit waited for it.
    private func assign(_ order: UUID) async throws -> Bool {
        var isAssigned = false
        // Dispatch hears by a message that there is such a partner.
        try await stage.desk.phone.until("dispatch knows the partner", within: stage.patience) {
            do {
                let provider = ["provider": partner.account.path]
                isAssigned = try await stage.tolerating {
                    try await stage.desk.phone.act("assignment", on: order, provider)
                }
                return true
            } catch let refusal as Refusal where refusal.status == 422 {
                return false
            }
        }
        return isAssigned
    }
}
