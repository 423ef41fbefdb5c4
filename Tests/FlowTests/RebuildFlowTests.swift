import Contracts
import Foundation
import Messaging
import Phones
import SeraiJSON
import TestKit
import Testing

@Suite("What is told again, by the programs", .timeLimit(.minutes(15)))
struct RebuildFlowTests {
    @Test(
        """
        P12: copies that were emptied, spoiled and made up are filled again while orders go on, also when it is killed in \
        the middle; nobody is told anything, and no money moves
        """)
    func whole() async throws {
        try await Platform.withPlatform { platform in
            let database = platform.database
            let pair = try await Pair.meet(on: platform)
            let other = try await Pair.meet(on: platform)
            let town = RideTown(town: platform.town, desk: pair.desk)
            _ = try await pair.desk.change([.acceptWindowSeconds: "91", .searchRadiusMetres: "9000"], in: "assef")
            let order = try await pair.completed()
            try await pair.customer.phone.rate(order, stars: 5, comment: "On time")
            _ = try await pair.accepted()
            let rider = try await town.rider("Ruby")
            _ = try await town.ride(rider)
            let parties = [pair.customer.account, pair.provider.account, rider.account].map(\.text)
            // The first admin was told of when not every service had its queue yet.
            _ = try await platform.run("identity", ["republish"], within: .seconds(60))
            try await eventually("all copies are what their owners have") {
                try await CopiesAndOwners.differences(database)
            } satisfies: {
                $0 == []
            }
            try await CopiesAndOwners.addOrders(120, database)
            let effects = try await CopiesAndOwners.effects(on: parties, database)
            try await CopiesAndOwners.damage(database)
            #expect(try await CopiesAndOwners.differences(database).count > 12)

            // The other pair's orders go on all the while.
            async let live = [other.completed(), other.completed(by: "cash"), other.completed()]
            _ = try await platform.run("admin", ["rebuild", "--empty"], within: .seconds(60))
            _ = try await platform.run("dispatch", ["rebuild"], within: .seconds(60))
            let begun = try platform.begin("dispatch", ["republish", "--pause-milliseconds", "60000"])
            try await eventually("some orders are told") { try await CopiesAndOwners.toldOrders(database) > 0 }
            begun.kill()
            try await begun.ended()
            #expect(try await CopiesAndOwners.differences(database).contains { $0.hasPrefix("orders") })
            for service in ["admin", "identity", "dispatch", "wallet"] {
                let said = try await platform.run(service, ["republish"], within: .seconds(60))
                #expect(said.contains("told again"), "\(said)")
            }
            _ = try await live
            try await eventually(within: .seconds(60), "all copies are what their owners have again") {
                try await CopiesAndOwners.differences(database)
            } satisfies: {
                $0 == []
            }
            #expect(try await CopiesAndOwners.effects(on: parties, database) == effects)
            // What was told again is lived by: the one order is still open, and the next one begins.
            _ = try await other.completed()
            // And once more, where nothing is to be done.
            for service in ["wallet", "dispatch", "identity", "admin"] {
                _ = try await platform.run(service, ["republish"], within: .seconds(60))
            }
            try await eventually("all copies are what their owners have still") {
                try await CopiesAndOwners.differences(database)
            } satisfies: {
                $0 == []
            }
            #expect(try await CopiesAndOwners.effects(on: parties, database) == effects)
            // The same of admin's copies, as a master admin has it done from the console.
            _ = try await pair.desk.phone.send(.post("/admin/v1/rebuild"))
            try await eventually(within: .seconds(120), "the rebuild has ended", poll: .milliseconds(500)) {
                let last = try await pair.desk.phone.send(.get("/admin/v1/rebuild")).decode(LastRebuild.self).last
                return last?.state == "done" && last?.left == 0
            }
            #expect(try await CopiesAndOwners.differences(database) == [])
            #expect(try await CopiesAndOwners.effects(on: parties, database) == effects)
        }
    }

    private struct LastRebuild: Decodable, Sendable {
        struct Run: Decodable, Sendable {
            let state: String
            let left: Int
        }
        let last: Run?
    }
}
