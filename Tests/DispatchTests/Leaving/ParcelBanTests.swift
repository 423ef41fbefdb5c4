import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Bans while a parcel may be picked up", .timeLimit(.minutes(15)))
struct ParcelBanTests {
    @Test(
        "I11: a ban of either party gives neither deposit nor price back while the carrier may have the parcel",
        arguments: [true, false], [2_000, 0])
    func parcelsThatMayBePickedUp(isCarriers: Bool, deposit: Int) async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let world = server.world
            let taken = try await server.posted(owner, OrderServer.parcel(deposit: deposit))
            #expect(try await server.act("take", taken, as: carrier).status == 200)
            if deposit > 0 { try await server.deposit(.depositLocked(orderVersion: 3), of: taken) }
            #expect(try await world.state(taken) == .accepted)
            try await world.ban(isCarriers ? carrier.account : owner.account, in: "carrepsa")
            try await world.whileFiring {
                try await eventually("an admin decides") { try await world.state(taken) == .disputed }
            }
            let order = try await world.details(taken).order
            #expect(order.provider?.account == carrier.account && order.report == taken)
            #expect(order.deposit?.state == (deposit > 0 ? .locked : nil))
            #expect(order.payment.state == .held)
            #expect(order.reason == (isCarriers ? "provider-banned" : "customer-banned"))
            #expect(try await world.events(taken).last == "disputed")
            // On no board: another carrier could be sent for a parcel that is gone.
            let other = try await server.carrier("Lena")
            #expect(try await server.get(OrderServer.board, as: other).items.isEmpty)
            try await world.expectConsistency()
        }
    }
}
