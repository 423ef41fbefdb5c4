public import Foundation
public import Messaging

/// A group of friends has changed, or has ended: all of it as it is now. The newest version counts.
public struct GroupChanged: Message {
    public enum Step: String, Codable, Sendable, CaseIterable {
        case made
        case changed
        /// The leader asks a friend to come along.
        case invited
        case joined
        /// Somebody has left, or does not want to come.
        case left
        /// The leader goes on without somebody.
        case removed
        /// Somebody is no friend of the leader's any more, or is gone.
        case parted
        case ended
    }

    public struct Member: Codable, Hashable, Sendable {
        public var account: UUID
        public var name: String
        /// The leader's is 0. Nobody gets the number of somebody who has left.
        public var number: Int

        public init(account: UUID, name: String, number: Int) {
            self.account = account
            self.name = name
            self.number = number
        }
    }

    public static let name: MessageName = "identity.group.changed.v1"
    public var group: UUID
    public var version: Int
    public var title: String
    public var leader: UUID
    /// Those who have joined, with the leader; of a group that has ended those who were in it.
    public var members: [Member]
    public var step: Step
    /// Whom the step is about, where it is one of them.
    public var person: LinkMoved.Person?
    public var at: Date
    public var aggregate: String { group.text }

    public init(
        group: UUID, version: Int, title: String, leader: UUID, members: [Member], step: Step,
        person: LinkMoved.Person?, at: Date
    ) {
        self.group = group
        self.version = version
        self.title = title
        self.leader = leader
        self.members = members
        self.step = step
        self.person = person
        self.at = at
    }
}

/// Somebody is farther from the leader of a group than the leader has said; told once, until that one is back.
public struct GroupStrayed: Message {
    public static let name: MessageName = "identity.group.strayed.v1"
    public var group: UUID
    public var title: String
    public var leader: LinkMoved.Person
    public var member: LinkMoved.Person
    public var metres: Int
    public var at: Date
    public var aggregate: String { group.text }

    public init(
        group: UUID, title: String, leader: LinkMoved.Person, member: LinkMoved.Person, metres: Int, at: Date
    ) {
        self.group = group
        self.title = title
        self.leader = leader
        self.member = member
        self.metres = metres
        self.at = at
    }
}
