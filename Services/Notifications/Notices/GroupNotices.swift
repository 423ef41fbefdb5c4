import Contracts
import Foundation
import Messaging

/// The notices about groups of friends (H5): the leader hears who joins, leaves or strays, a member what the leader does.
enum GroupNotices {
    static func notices(_ event: GroupChanged) throws -> [Notice] {
        guard let leader = event.members.first(where: { $0.account == event.leader }) else { return [] }
        let ofLeader = ["person": TextArgument.person(name: leader.name, account: leader.account)]
        switch (event.step, event.person) {
        case (.invited, let person?): return [try item(.groupInvited, event, to: person.account, ofLeader)]
        case (.removed, let person?): return [try item(.groupRemoved, event, to: person.account, ofLeader)]
        case (.joined, let person?): return [try item(.groupJoined, event, to: event.leader, named(person))]
        case (.left, let person?): return [try item(.groupLeft, event, to: event.leader, named(person))]
        case (.ended, _):
            return try event.members.filter { $0.account != event.leader }.map {
                try item(.groupEnded, event, to: $0.account, ofLeader)
            }
        case (.made, _), (.changed, _), (.parted, _), (_, nil): return []
        }
    }

    static func notices(_ event: GroupStrayed) throws -> [Notice] {
        let common: [String: TextArgument] = [
            "title": .ownText(event.title, by: event.leader.account), "metres": .number(event.metres),
        ]
        return try [
            (InboxTopic.groupStrayed, event.leader, event.member), (.groupStrayedYourself, event.member, event.leader),
        ].map { topic, reader, other in
            try .item(
                topic, common.merging(named(other)) { $1 }, to: reader.account, order: nil, at: event.at,
                id: .timeOrdered())
        }
    }

    private static func named(_ person: LinkMoved.Person) -> [String: TextArgument] {
        ["person": .person(name: person.name, account: person.account)]
    }

    private static func item(
        _ topic: InboxTopic, _ event: GroupChanged, to account: UUID, _ arguments: [String: TextArgument]
    ) throws -> Notice {
        try .item(
            topic, arguments.merging(["title": .ownText(event.title, by: event.leader)]) { $1 }, to: account,
            order: nil, at: event.at, id: .timeOrdered())
    }
}
