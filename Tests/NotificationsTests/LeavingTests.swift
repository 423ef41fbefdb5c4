import Contracts
import Foundation
import Messaging
import ServiceKit
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("People who leave", .timeLimit(.minutes(5)))
struct LeavingTests {
    @Test("I12, N1: a refused deletion says what is open, in both languages; of somebody who is gone nothing is left")
    func told() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                for (account, language) in [(sample.customer, "en"), (sample.provider, "ar")] {
                    try await world.publish(sample.registered(account, language: language))
                    try await world.publish(
                        DeletionRefused(
                            deletion: .timeOrdered(), account: account, version: 5,
                            obstacles: DeletionObstacle.allCases, orders: [], at: sample.start))
                }
                try await world.settle()
                let english = try #require(try await process.inbox(sample.customer).first)
                #expect(english.topic == InboxTopic.deletionRefused.rawValue)
                #expect(english.content.contains("an order is open, there is money in your wallet"))
                let arabic = try #require(try await process.inbox(sample.provider).first)
                #expect(arabic.content.contains("يوجد طلب مفتوح"))
                try await world.publish(AccountDeleted(account: sample.customer, version: 6, at: sample.start))
                try await world.settle()
                #expect(try await process.inbox(sample.customer).isEmpty)
                #expect(try await process.inbox(sample.provider).count == 1)
            }
        }
    }

    @Test("I12: of somebody whose last news and whose end are heard together nothing is left")
    func together() async throws {
        try await World.run { world in
            let sample = Sample()
            // So that the queue is there, in which all of it then waits.
            try await world.withProcess { _ in }
            for account in [sample.customer, sample.provider] {
                try await world.publish(sample.registered(account, language: "en"))
                try await world.publish(
                    DeletionRefused(
                        deletion: .timeOrdered(), account: account, version: 5, obstacles: DeletionObstacle.allCases,
                        orders: [], at: sample.start))
            }
            try await world.publish(AccountDeleted(account: sample.customer, version: 6, at: sample.start))
            try await world.withProcess { process in
                try await world.settle()
                #expect(try await process.inbox(sample.customer).isEmpty)
                #expect(try await process.inbox(sample.provider).count == 1)
            }
        }
    }
}
