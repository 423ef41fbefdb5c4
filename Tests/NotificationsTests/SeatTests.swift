import Contracts
import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Places for streams", .timeLimit(.minutes(15)))
struct SeatTests {
    @Test("N3: one address cannot take all places, and those that are left are for people with running orders")
    func seats() throws {
        var limits = StreamLimits()
        limits.streams = 10
        limits.streamsPerAddress = 3
        let hub = StreamHub(limits: limits)
        var seats: [StreamSeat] = []
        for _ in 0..<3 { seats.append(try hub.takeSeat(from: "2001:db8::/64")) }
        #expect(throws: StreamHub.Refusal.fullForAddress) { try hub.takeSeat(from: "2001:db8::/64") }
        // Somebody who waits for an order is let in beside them, and others from elsewhere are.
        seats.append(try hub.takeSeat(from: "2001:db8::/64", hasRunningOrder: true))
        for number in 0..<4 { seats.append(try hub.takeSeat(from: "192.0.2.\(number)")) }
        #expect(throws: StreamHub.Refusal.onlyReservedSeatsLeft) { try hub.takeSeat(from: "192.0.2.9") }
        for _ in 0..<2 { seats.append(try hub.takeSeat(from: "192.0.2.9", hasRunningOrder: true)) }
        #expect(throws: StreamHub.Refusal.full) { try hub.takeSeat(from: "192.0.2.10", hasRunningOrder: true) }
        // Who leaves makes room, of the address too.
        seats.removeFirst(4)
        seats.append(try hub.takeSeat(from: "2001:db8::/64"))
    }

    @Test("N3: a process that is full for most still takes whoever has a running order, and nobody whose order is over")
    func reserved() async throws {
        try await World.run { world in
            try await world.withProcess(["SERAI_STREAMS_LIMIT": "5"]) { process in
                let (running, over, lost) = (Sample(), Sample(), Sample())
                try await world.publish(running.requested())
                try await world.publish(running.accepted())
                try await world.publish(over.requested())
                try await world.publish(
                    OrderCancelled(order: over.snapshot(.cancelled, version: 9, by: .customer)))
                try await world.publish(lost.requested())
                try await world.publish(
                    OrderNearby(
                        order: lost.snapshot(.enRoute, version: 3, by: .system), metresLeft: 480, secondsLeft: 60))
                try await world.settle()
                var streams: [StreamClient] = []
                for _ in 0..<4 { streams.append(try await process.stream(.timeOrdered())) }
                let path = "/notifications/v1/stream"
                for account in [UUID.timeOrdered(), over.customer] {
                    let refused = try await process.request("GET", path, token: try await world.token(account))
                    #expect(refused.status == 503)
                    #expect(try refused.slug == "too-many-streams")
                }
                streams.append(try await process.stream(running.customer))
                #expect(process.hub.count == 5)
                // Now nobody is.
                let full = try await process.request("GET", path, token: try await world.token(running.provider))
                #expect(full.status == 503)
                await streams.removeLast().cut()
                try await eventually("there is room for another with an order") {
                    let client = StreamClient(
                        port: process.port, token: try await world.token(running.provider), after: nil)
                    try await eventually("it is answered") { client.status != nil }
                    if client.status == 200 { streams.append(client) }
                    return client.status == 200
                }
            }
        }
    }

    @Test("N3: the newest that was told of an order says whether it runs, and whose it is")
    func runningOrders() {
        let (first, second) = (UUID.timeOrdered(), UUID.timeOrdered())
        func told(_ order: UUID, _ version: Int, _ state: String, isParty: Bool = true) -> RunningOrders.Told {
            RunningOrders.Told(order: order, version: version, state: state, isParty: isParty)
        }
        #expect(!RunningOrders.areAmong([]))
        #expect(RunningOrders.areAmong([told(first, 1, "accepted")]))
        #expect(!RunningOrders.areAmong([told(first, 2, "completed"), told(first, 1, "accepted")]))
        #expect(RunningOrders.areAmong([told(first, 2, "completed"), told(second, 1, "enRoute")]))
        #expect(!RunningOrders.areAmong([told(first, 2, "requested", isParty: false), told(first, 1, "offered")]))
        #expect(Set(OrderSnapshot.State.allCases.map(\.rawValue)).isSuperset(of: RunningOrders.running))
        for state in ["pending", "disputed", "expired", "refused", "cancelled", "unheard"] {
            #expect(!RunningOrders.areAmong([told(first, 1, state)]), "\(state)")
        }
    }
}
