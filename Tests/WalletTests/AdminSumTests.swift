import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

/// The threshold of the market assef is 200 000 minor units.
@Suite("What one admin gives out in a day", .timeLimit(.minutes(10)))
struct AdminSumTests {
    @Test("A1, W5: cash-outs that one admin accepts for several people count together, and not those of two admins")
    func cashOuts() async throws {
        try await WalletFixture.run { wallet in
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            func ask(_ amount: Int) async throws -> String {
                let person = try await wallet.people.provider()
                try await wallet.give(amount, to: person)
                return try #require(try await wallet.cashOut(amount, person).json["cashOut"]?.string)
            }
            func accept(_ id: String, _ admin: Person) async throws -> String? {
                try await wallet.decide(id, admin, accept: true).json["state"]?.string
            }
            let large = try await ask(500_000)
            #expect(try await accept(large, two) == "waiting")
            #expect(try await accept(large, one) == "paying")
            for _ in 0..<2 { #expect(try await accept(try await ask(100_000), one) == "paying") }
            let third = try await ask(1)
            #expect(try await accept(third, one) == "waiting")
            #expect(try await accept(third, two) == "paying")
            #expect(try await accept(try await ask(100_000), two) == "paying")
        }
    }

    @Test("A1, W8: refunds that one admin makes from the platform to several people count together")
    func refunds() async throws {
        try await WalletFixture.run { wallet in
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            let noura = try await wallet.people.provider()
            func refund(_ amount: Int, _ admin: Person) async throws -> Answer {
                let salem = try await wallet.people.customer()
                try await wallet.give(amount, to: salem)
                return try await wallet.refund(
                    try await wallet.captured(salem, noura, amount: amount), admin, amount)
            }
            let large = try #require(try await refund(500_000, one).json["approval"]?.string)
            #expect(try await wallet.approve(large, two).status == 200)
            for _ in 0..<2 { #expect(try await refund(100_000, one).status == 201) }
            #expect(try await refund(100, one).status == 202)
            #expect(try await refund(100, two).status == 201)
            try await wallet.expectSound()
        }
    }

    @Test("A1, C7: a code that may leave less than half of a price needs a second admin")
    func codes() {
        func code(_ benefit: PromoCode.Benefit, from minimum: Int) -> PromoCode {
            PromoCode(
                id: UUID(), market: "assef", currency: "SAR", code: "CODE", benefit: benefit, startsAt: Date(),
                endsAt: nil, minimumPrice: minimum, limit: 1, limitPerAccount: 1)
        }
        for (benefit, minimum, takesMost) in [
            (PromoCode.Benefit.amount(500), 501, true), (.amount(500), 999, true), (.amount(500), 1_000, false),
            (.amount(1), 0, true), (.percent(basisPoints: 9_999, maximum: 100), 0, true),
            (.percent(basisPoints: 5_001, maximum: 501), 1_000, true),
            (.percent(basisPoints: 5_000, maximum: 100_000), 0, false),
            (.percent(basisPoints: 10_000, maximum: 500), 1_000, false),
            (.percent(basisPoints: 6_000, maximum: nil), 1_000, true),
        ] {
            #expect(code(benefit, from: minimum).takesMostOfPrice == takesMost, "\(benefit) \(minimum)")
        }
    }
}
