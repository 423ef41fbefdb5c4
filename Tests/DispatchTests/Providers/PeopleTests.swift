import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("People, as identity tells", .timeLimit(.minutes(15)))
struct PeopleTests {
    private func role(_ ground: ProvidersGround, _ account: UUID) async throws -> ProviderRole? {
        try await ground.pool.first(FindProviderRole(market: "assef", account: account))
    }

    @Test("the newest version of an account stands, in whatever order and however often it is told")
    func anyOrder() async throws {
        try await ProvidersGround.run { ground in
            var generator = SeededGenerator()
            for _ in 0..<10 {
                let account = UUID.timeOrdered()
                let versions = (Array(1...6) + Array(1...6)).shuffled(using: &generator)
                for version in versions {
                    try await ground.tell(
                        account, version: version, name: "Name \(version)",
                        title: version.isMultiple(of: 2) ? "nurse" : "doctor", isVerified: version > 3)
                }
                let person = try await ground.pool.first(ReadTestPerson(account: account))
                #expect(person == TestPerson(version: 6, name: "Name 6", searchName: "name 6"), "\(generator)")
                let role = try await role(ground, account)
                #expect(role?.title == "nurse" && role?.isVerified == true, "\(generator)")
            }
        }
    }

    @Test("C4: who is no longer verified is no longer available; verified again, he or she has to switch on again")
    func verificationLost() async throws {
        try await ProvidersGround.run { ground in
            let account = try await ground.free()
            #expect(try await role(ground, account)?.isAvailable == true)
            try await ground.tell(account, version: 2, isVerified: false)
            var role = try await role(ground, account)
            #expect(role?.isAvailable == false && role?.availableSince == nil)
            #expect(try await ground.list() == [])
            // Late news of the time before change nothing.
            try await ground.tell(account, version: 1, isVerified: true)
            try await ground.tell(account, version: 3, isVerified: true)
            role = try await self.role(ground, account)
            #expect(role?.isVerified == true && role?.isAvailable == false)
            let kept = try await ground.pool.query(
                ListOfferings(market: "assef", account: account, currency: .riyal))
            #expect(kept.count == 1)
        }
    }

    @Test("news that leave title and verification as they are leave the availability")
    func renamed() async throws {
        try await ProvidersGround.run { ground in
            let account = try await ground.free()
            let before = try await role(ground, account)
            try await ground.tell(account, version: 2, name: "Sarah")
            #expect(try await role(ground, account) == before)
            #expect(try await ground.list("services=wound-care&name=sarah") == [account.uuidString.lowercased()])
        }
    }

    @Test("C2: another title takes away the services that it may not do, and with the last one the availability")
    func titleChanged() async throws {
        try await ProvidersGround.run { ground in
            let both = try await ground.free(prices: ["wound-care": 100, "physiotherapy-session": 200])
            let one = try await ground.free(prices: ["wound-care": 100])
            for account in [both, one] { try await ground.tell(account, version: 2, title: "doctor") }
            let offerings = try await ground.pool.query(
                ListOfferings(market: "assef", account: both, currency: .riyal))
            #expect(offerings == [Offering(service: "physiotherapy-session", price: 200)])
            #expect(try await role(ground, both)?.isAvailable == true)
            #expect(try await role(ground, one)?.isAvailable == false)
        }
    }

    @Test("a role that is gone counts no more; other people and customers are no providers")
    func roleLost() async throws {
        try await ProvidersGround.run { ground in
            let account = try await ground.free()
            try await ground.tell(
                account, version: 2, roles: [.init(market: "assef", role: "customer", verified: true)])
            let role = try await role(ground, account)
            #expect(role?.isVerified == false && role?.isAvailable == false)
            let customer = try await ground.tell(roles: [.init(market: "assef", role: "customer", verified: true)])
            #expect(try await self.role(ground, customer) == nil)
            // A market of a later version of the program.
            let elsewhere = try await ground.tell(
                roles: [.init(market: "elsewhere", role: "provider", title: "x", verified: true)])
            #expect(try await ground.pool.first(FindProviderRole(market: "elsewhere", account: elsewhere)) != nil)
        }
    }
}
