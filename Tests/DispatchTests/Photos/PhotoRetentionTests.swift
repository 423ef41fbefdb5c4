import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Q9: photos that are on nothing", .timeLimit(.minutes(15)))
struct PhotoRetentionTests {
    private func pass(_ server: OrderServer, at now: Date = .thisMillisecond) async throws {
        let world = server.world
        try await RetentionPass(
            pool: world.pool, markets: world.markets, clock: { .thisMillisecond }, logger: TestThreads.logger
        ).pass(at: now)
    }

    @Test("Q9, O11, C5: after a day a photo that is on no parcel and no dish is removed; the others stay")
    func unused() async throws {
        try await OrderServer.with { server in
            let (owner, host) = (try await server.owner(), try await server.host())
            let (carried, unused) = (try await server.photo(of: owner), try await server.photo(of: owner))
            let (eaten, replaced) = (try await server.photo(of: host), try await server.photo(of: host))
            _ = try await server.post(owner, OrderServer.parcel(photo: carried))
            let item = "\(OrderServer.restaurant)/items/\(try await server.addDish(replaced, by: host))"
            #expect(try await server.send(.put, item, as: host, OrderServer.dish(eaten)).status == 200)
            try await pass(server)
            #expect(try await server.world.pool.first(CountPhotos()) == 4)
            try await server.world.pool.execute(AgePhotos(at: .thisMillisecond - 86_401))
            try await pass(server)
            for (photo, person) in [(carried, owner), (eaten, host)] {
                #expect(try await server.show(photo, to: person).status == .ok)
            }
            for (photo, person) in [(unused, owner), (replaced, host)] {
                #expect(try await server.show(photo, to: person).status == .notFound)
            }
            // With its dish the picture is on nothing.
            #expect(try await server.send(.delete, item, as: host).status == 204)
            try await pass(server)
            #expect(try await server.show(eaten, to: host).status == .notFound)
            #expect(try await server.world.pool.first(CountPhotos()) == 1)
        }
    }

    @Test("Q9, O11: a photo goes with the last of its parcels")
    func old() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let photo = try await server.photo(of: owner)
            var orders: [UUID] = []
            for _ in 0..<2 { orders.append(try await server.posted(owner, OrderServer.parcel(photo: photo))) }
            let long = Date.thisMillisecond - 86_400 * 3_650
            try await server.world.pool.execute(AgePhotos(at: long))
            for (order, status) in zip(orders, [200, 404]) {
                #expect(try await server.act("cancel", order, as: owner).status == 200)
                try await server.world.pool.execute(AgeOrder(order: order, at: long))
                try await pass(server)
                #expect(try await server.world.state(order) == nil)
                #expect(try await server.show(photo, to: owner).status.code == status)
            }
        }
    }

    @Test("Q9: a photo that is just being put on something is not removed")
    func race() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let photo = try await server.photo(of: owner)
            let id = try #require(UUID(uuidString: photo))
            let pool = server.world.pool
            let now = Date.thisMillisecond
            try await pool.execute(AgePhotos(at: now - 86_401))
            let delete = DeleteUnusedPhotos(before: now - 86_400, limit: 10)
            try await pool.withTransaction { transaction in
                try await UsePhoto()(id, of: owner.account, as: "photo", at: now, in: transaction)
                #expect(try await pool.execute(delete) == 0)
            }
            #expect(try await pool.execute(delete) == 0)
            #expect(try await server.show(photo, to: owner).status == .ok)
        }
    }

    @Test("I12: with an account its photos go, no parcel names them, and it uploads none any more")
    func leaving() async throws {
        try await OrderServer.with { server in
            let (owner, other) = (try await server.owner(), try await server.owner("Sven"))
            let photo = try await server.photo(of: owner)
            let order = try await server.post(owner, OrderServer.parcel(photo: photo))
            let kept = try await server.photo(of: other)
            try await server.world.pool.withTransaction { transaction in
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: owner.account, version: 6, at: .thisMillisecond), by: { .thisMillisecond },
                    transaction)
            }
            #expect(try await server.show(photo, to: owner).status == .notFound)
            #expect(try await server.world.details(order).order.parcel?.photo == nil)
            #expect(try await server.show(kept, to: other).status == .ok)
            #expect(try await server.upload(by: owner).problem == "account-leaving")
            #expect(try await server.world.pool.first(CountPhotos()) == 1)
        }
    }
}
