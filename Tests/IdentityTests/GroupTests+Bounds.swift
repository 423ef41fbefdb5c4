import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiIdentity

/// How often is told and asked, and what is forgotten.
extension GroupTests {
    @Test(
        "H5: nobody is shown as strayed once a place of the two is hidden or stopped, or the leader does not look",
        arguments: ["hidden", "stopped", "ended", "leader", "radius"])
    func forgotten(_ how: String) async throws {
        try await World.run { world async throws in
            let two = try await two(world)
            let group = try await joined(world, two, radius: 200)
            try await share(world, two.leader)
            try await share(world, two.friend, north: 0.01)
            try await watch(world).watch(at: world.clock.now)
            #expect(try await strayed(world, two.leader) == 1)
            let place = "v1/accounts/me/shared-place"
            switch how {
            case "hidden": try await share(world, two.friend, isVisible: false)
            case "stopped": #expect(try await world.send("DELETE", place, token: two.friend.access).status == 204)
            case "ended":
                try await world.pool.withTransaction { transaction in
                    let end = world.clock.now.addingTimeInterval(36_000)
                    SharedPlace.end(
                        Deadline(kind: SharedPlace.deadline, subject: two.friend.account.text, dueAt: end),
                        in: transaction)
                }
            case "leader": #expect(try await world.send("DELETE", place, token: two.leader.access).status == 204)
            default:
                let changed = try await world.send(
                    "PUT", "\(Self.path)/\(group)", ["title": "Bus 7"], token: two.leader.access)
                #expect(changed.status == 204)
            }
            #expect(try await strayed(world, two.leader) == 0)
        }
    }

    @Test("H5, O1: of several processes one looks at a time, and a place that cannot be opened ends no look")
    func rounds() async throws {
        try await World.run { world async throws in
            let watch = watch(world)
            async let one = watch.takeRound(at: world.clock.now)
            async let other = watch.takeRound(at: world.clock.now)
            #expect(try await [one, other].filter { $0 }.count == 1)
            world.clock.advance(by: .seconds(8))
            #expect(try await !watch.takeRound(at: world.clock.now))
            world.clock.advance(by: .seconds(2))
            #expect(try await watch.takeRound(at: world.clock.now))

            let broken = try await two(world)
            let whole = try await two(world)
            for two in [broken, whole] {
                _ = try await joined(world, two, radius: 200)
                try await share(world, two.leader)
                try await share(world, two.friend, north: 0.01)
            }
            try await world.pool.execute(
                PutSharedPlace(
                    account: broken.friend.account, place: [1, 2, 3], isVisible: true, now: world.clock.now,
                    expiresAt: world.clock.now.addingTimeInterval(600)))
            try await watch.watch(at: world.clock.now)
            let told = try await world.events(GroupStrayed.self)
            #expect(told.map(\.member.account) == [whole.friend.account])
        }
    }

    @Test("H5, Q7: who was taken out or did not want to come is asked again after a day, and three times at most")
    func askedAgain() async throws {
        try await World.run { world async throws in
            let two = try await two(world)
            var group = try await make(world, two.leader)
            func out(by tokens: Tokens) async throws {
                let path = "\(Self.path)/\(group)/members/\(two.friend.account.text)"
                #expect(try await world.send("DELETE", path, token: tokens.access).status == 204)
            }
            #expect(try await invite(world, two, group).status == 204)
            try await out(by: two.friend)
            let again = try await invite(world, two, group)
            #expect(again.status == 429 && again.slug == "asked-before")
            world.clock.advance(by: .seconds(86_401))
            #expect(try await invite(world, two, group).status == 204)
            try await out(by: two.leader)
            // Another group of the same leader's is no way round.
            group = try await make(world, two.leader)
            #expect(try await invite(world, two, group).status == 429)
            world.clock.advance(by: .seconds(86_401))
            #expect(try await invite(world, two, group).status == 204)
            #expect(try await world.send("DELETE", "\(Self.path)/\(group)", token: two.leader.access).status == 204)
            group = try await make(world, two.leader)
            world.clock.advance(by: .seconds(100 * 86_400))
            #expect(try await invite(world, two, group).status == 429)
            #expect(try await steps(world).filter { $0 == .invited }.count == 3)
        }
    }
}
