import Contracts
import Foundation
import Messaging

@testable import SeraiNotifications

extension ItemTests {
    /// Events of bans.
    static let bans: [Case] = [
        Case(
            name: "banned for a time",
            publish: { world, sample in
                try await world.publish(
                    AccountBanned(
                        account: sample.customer, market: "assef", reason: "Rude", until: sample.start + 86_400,
                        by: .timeOrdered(), version: 3, at: sample.start))
            }, customer: [.accountBannedUntil]),
        Case(
            name: "banned everywhere",
            publish: { world, sample in
                try await world.publish(
                    AccountBanned(
                        account: sample.provider, market: "*", reason: "Fraud", until: nil, by: .timeOrdered(),
                        version: 3, at: sample.start))
            }, provider: [.accountBanned]),
        Case(
            name: "a ban is lifted",
            publish: { world, sample in
                try await world.publish(
                    AccountUnbanned(
                        account: sample.customer, market: "assef", by: .timeOrdered(), version: 4, at: sample.start))
            }, customer: [.accountUnbanned]),
    ]
}
