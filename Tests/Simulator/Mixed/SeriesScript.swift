import Contracts
import Foundation
import Phones

/// Visits that come again: begun to be paid from the wallet, ordered by dispatch itself, and called off.
struct SeriesScript: Script {
    let client: Payer
    let number: Int
    let stage: Stage

    private struct Wish: Encodable {
        let market: String
        let firstDay: String
        let payment = "wallet"
        let services = ["companionship"]
        let latitude = CareScript.home.latitude
        let longitude = CareScript.home.longitude
        let rule = "FREQ=DAILY;COUNT=2"
        let time = "12:00"
    }

    private struct Begun: Decodable, Sendable { let series: UUID }
    private struct Visit: Decodable, Sendable { let order: UUID? }

    func run() async throws {
        // Some days from now, so that nothing of it is due while this runs.
        let day = Date().addingTimeInterval(3 * 86_400).formatted(.iso8601.year().month().day())
        let wish = Wish(market: stage.market.id, firstDay: day)
        let begun: Begun = try await client.phone.send(try .post("/dispatch/v1/series", wish)).decode()
        var orders: [UUID] = []
        try await client.phone.until("its visits are ordered", within: stage.patience) {
            let visits: Items<Visit> = try await client.phone.send(
                .get("/dispatch/v1/series/\(begun.series.path)/visits")
            ).decode()
            orders = visits.items.compactMap(\.order)
            return orders.count == visits.items.count && !orders.isEmpty
        }
        for order in orders { stage.ordered(order, by: client.person.account) }
        try await stage.tolerating {
            try await client.phone.send(try .post("/dispatch/v1/series/\(begun.series.path)/end"))
        }
        for order in orders {
            // It is paid without anybody's hand, or has just been refused by the wallet.
            try await client.stream.order(order, "paid by itself", within: stage.patience) {
                $0.state.isFinal || $0.state == .requested
            }
            try await stage.tolerating {
                try await client.phone.act("cancel", on: order, ["reason": "only for a while"])
            }
        }
    }
}
