import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("A ride", .serialized, .timeLimit(.minutes(15)))
struct RideFlowTests {
    private static let market = "btnc"

    @Test("O8, C7: from the quote over two drivers, one of whom says nothing, to the payout; admins see why")
    func whole() async throws {
        // What one process takes the other may offer.
        try await Platform.withPlatform(dispatchProcesses: 2) { platform in
            let desk = try await AdminDesk.signIn(platform)
            _ = try await desk.change([.offerWindowSeconds: "3", .startCodeRequired: "true"], in: Self.market)
            let town = RideTown(town: platform.town, desk: desk)
            let rider = try await town.rider("Ruby")
            let near = try await town.driver("Nora", at: RideTown.perth)
            let far = try await town.driver("Finn", at: Coordinate(latitude: -31.965, longitude: 115.8613))
            let ride = try await town.ride(rider)
            let total = ride.snapshot.total.amount
            #expect(ride.state == .pending && total >= 650)
            let code = try #require(ride.ride?.startCode)
            try await rider.pay(ride.id)
            try await near.stream.order(ride.id, is: .offered)
            // She says nothing.
            try await far.stream.order(ride.id, is: .offered, within: .seconds(150))
            try await far.phone.act("accept", on: ride.id)
            let found = try await rider.stream.order(ride.id, is: .accepted)
            #expect(found.snapshot.provider?.account == far.account)
            try await refuses(409, state: "accepted") { try await near.phone.act("accept", on: ride.id) }
            try await rider.phone.act("met", on: ride.id)
            try await far.phone.act("arrive", on: ride.id)
            try await rider.stream.order(ride.id, is: .arrived)
            try await far.phone.act("start", on: ride.id, ["code": code])
            try await rider.phone.act("met", on: ride.id)
            try await far.phone.act("complete", on: ride.id)
            try await rider.stream.order(ride.id, "the driver says it is done") {
                $0.snapshot.confirmedBy == [.provider]
            }
            try await rider.phone.act("complete", on: ride.id)
            for person in [rider, far] {
                try await person.stream.order(ride.id, "paid out", within: .seconds(150)) {
                    $0.snapshot.payment.state == .captured
                }
            }
            // A fifth is the platform's, rounded half up.
            let share = total - (total * 2_000 + 5_000) / 10_000
            try await eventually("the driver is paid") { try await far.phone.balance(in: "AUD") == share }
            let why = try await town.matching(ride.id)
            #expect(why.offers.map(\.provider) == [near.account, far.account])
            #expect(why.offers.map(\.outcome) == ["offerWindowOver", "accept"])
        }
    }

    @Test(
        "O13: workers that are killed while rides are searched for lose none and offer none twice; roles share the work"
    )
    func killed() async throws {
        try await Platform.withPlatform(
            dispatchProcesses: 3, roles: ["api", "worker", "worker"]
        ) { platform in
            let desk = try await AdminDesk.signIn(platform)
            _ = try await desk.change([.offerWindowSeconds: "5"], in: Self.market)
            let town = RideTown(town: platform.town, desk: desk)
            var drivers: [Newcomer] = []
            for number in 0..<3 {
                drivers.append(
                    try await town.driver(
                        "Driver \(number)",
                        at: Coordinate(latitude: -31.9523 + Double(number) / 500, longitude: 115.8613)))
            }
            var rides: [(rider: Newcomer, order: UUID)] = []
            for number in 0..<3 {
                let rider = try await town.rider("Rider \(number)")
                rides.append((rider, try await town.ride(rider).id))
            }
            for (number, ride) in rides.enumerated() {
                try await ride.rider.pay(ride.order)
                try await platform.kill("dispatch", 1 + number % 2)
                try await platform.restart("dispatch", 1 + number % 2)
                try await ride.rider.stream.order(ride.order, is: .offered, within: .seconds(150))
                let driver = try await town.asked(for: ride.order, of: drivers)
                try await driver.phone.act("accept", on: ride.order)
                try await ride.rider.stream.order(ride.order, is: .accepted, within: .seconds(150))
            }
            // Each has one of them.
            var held: Set<UUID> = []
            for ride in rides {
                let order: OrderView = try await ride.rider.phone.order(ride.order)
                held.insert(try #require(order.snapshot.provider?.account))
            }
            #expect(held.count == 3)
        }
    }
}
