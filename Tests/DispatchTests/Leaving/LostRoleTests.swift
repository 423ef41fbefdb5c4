import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Who is a provider of a market no more", .timeLimit(.minutes(15)))
struct LostRoleTests {
    /// As identity tells of an account that is something elsewhere, too.
    private func tell(
        _ world: OrderWorld, _ account: UUID, version: Int, _ roles: [AccountSnapshot.Role] = []
    ) async throws {
        let elsewhere = AccountSnapshot.Role(market: "hajji", role: "customer", verified: true)
        let person = AccountSnapshot(
            account: account, version: version, name: "Noura", gender: nil, language: "en", roles: [elsewhere] + roles)
        try await world.pool.withTransaction { try await PeopleProjection.keep(person, by: { .thisMillisecond }, $0) }
    }

    @Test(
        "I12, O12: the visits of a provider whom an admin removed end, or come before an admin, as a banned one's do",
        arguments: BanTests.states)
    func removed(_ state: OrderState) async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: state)
            try await tell(world, order.assignee, version: 2)
            let ended: OrderState = state == .arrived ? .disputed : .cancelled
            try await world.whileFiring {
                try await eventually("the order is \(ended)") { try await world.state(order.id) == ended }
            }
            let stored = try await world.details(order.id).order
            #expect(stored.reason == "provider-banned" && stored.by == .system)
            #expect(try await world.held(order.assignee) == nil)
            try await world.expectConsistency()
        }
    }

    @Test(
        "I12: who waits to be verified again, or has the role back in a moment, keeps the order, and so does a customer"
    )
    func kept() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .accepted)
            let waiting = AccountSnapshot.Role(market: "assef", role: "provider", title: "nurse", verified: false)
            try await tell(world, order.assignee, version: 2, [waiting])
            try await tell(world, order.customer.account, version: 2)
            let (provider, now) = (order.assignee, Date.thisMillisecond)
            try await tell(world, provider, version: 3)
            #expect(try await !world.pool.query(FindLostProviders(accounts: [provider], market: "assef")).isEmpty)
            try await tell(world, provider, version: 4, [waiting])
            for one in ["\(provider.text) assef", "\(order.customer.account.text) assef", "nobody"] {
                try await world.pool.withTransaction {
                    try await EndOrdersOfLostRole.end(one, at: now, in: $0)
                }
            }
            #expect(!(try await world.deadlines(order.id).contains(ApplyBanToOrder.deadlineKind)))
            #expect(try await world.state(order.id) == .accepted)
            // The late word of before takes nothing either.
            try await tell(world, provider, version: 3)
            #expect(try await world.pool.query(FindLostProviders(accounts: [provider], market: "assef")).isEmpty)
        }
    }
}
