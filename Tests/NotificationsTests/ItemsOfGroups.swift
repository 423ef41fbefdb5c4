import Contracts
import Foundation
import Messaging
import TestKit

@testable import SeraiNotifications

extension ItemTests {
    /// The customer leads a group with the provider.
    private static func group(_ sample: Sample, _ step: GroupChanged.Step) -> GroupChanged {
        GroupChanged(
            group: .timeOrdered(), version: 4, title: "Bus 7", leader: sample.customer,
            members: [
                .init(account: sample.customer, name: "Olivia", number: 0),
                .init(account: sample.provider, name: "Ada", number: 1),
            ], step: step, person: .init(account: sample.provider, name: "Ada"), at: sample.start)
    }

    /// What the people of a group are told.
    static let ofGroups: [Case] = [
        Case(
            name: "the leader of a group asks a friend to join",
            publish: { world, sample in try await world.publish(group(sample, .invited)) }, provider: [.groupInvited]),
        Case(
            name: "a friend joins a group",
            publish: { world, sample in try await world.publish(group(sample, .joined)) }, customer: [.groupJoined]),
        Case(
            name: "somebody leaves a group",
            publish: { world, sample in try await world.publish(group(sample, .left)) }, customer: [.groupLeft]),
        Case(
            name: "the leader takes somebody out of a group",
            publish: { world, sample in try await world.publish(group(sample, .removed)) }, provider: [.groupRemoved]),
        Case(
            name: "the leader ends a group",
            publish: { world, sample in try await world.publish(group(sample, .ended)) }, provider: [.groupEnded]),
        Case(
            name: "somebody of a group is no friend any more",
            publish: { world, sample in try await world.publish(group(sample, .parted)) }),
        Case(
            name: "a group has another name",
            publish: { world, sample in try await world.publish(group(sample, .changed)) }),
        Case(
            name: "somebody strays from a group",
            publish: { world, sample in
                try await world.publish(
                    GroupStrayed(
                        group: .timeOrdered(), title: "Bus 7", leader: .init(account: sample.customer, name: "Olivia"),
                        member: .init(account: sample.provider, name: "Ada"), metres: 640, at: sample.start))
            }, customer: [.groupStrayed], provider: [.groupStrayedYourself]),
    ]
}
