import Foundation
import Hummingbird
import Messaging
import SeraiJSON
import ServiceKit

/// A conversation as shown to one of its members.
struct TalkView: ResponseEncodable, Encodable, Sendable {
    struct Party: Encodable, Sendable {
        /// `customer`, `provider`, `merchant` or `support`; of friends `asking` or `asked`; of a group `group`.
        let role: String
        let name: String?
        let delivered: Int
        let read: Int
    }

    struct Member: Encodable, Sendable {
        let role: String
        let name: String
    }

    let conversation: String
    let market: String
    let order: String?
    let link: String?
    let group: String?
    /// Of a group, the reader too.
    let members: [Member]?
    /// What the reader is in it.
    let role: String
    let with: Party
    let open: Bool
    let closesAt: Date?
    let lastNumber: Int
    let lastAt: Date
    let read: Int
    let unread: Int

    init(_ talk: Talk, _ members: [TalkMember], _ door: TalkDoor, reader: UUID) {
        conversation = talk.id.text
        market = talk.market
        order = talk.order?.text
        link = talk.link?.text
        role = talk.role
        group = talk.group?.text
        self.members = talk.group.map { _ in members.map { Member(role: $0.role, name: $0.name) } }
        let others = members.filter { $0.account != reader }
        with =
            talk.title.map { title in
                // As far as all have come.
                Party(
                    role: "group", name: title, delivered: others.map(\.delivered).min() ?? 0,
                    read: others.map(\.read).min() ?? 0)
            }
            ?? others.first.map { Party(role: $0.role, name: $0.name, delivered: $0.delivered, read: $0.read) }
            ?? Party(role: TalkMessageView.support, name: nil, delivered: 0, read: 0)
        open = door.isOpen
        closesAt = door.closesAt
        lastNumber = talk.lastNumber
        lastAt = talk.lastAt
        read = talk.read
        unread = talk.unread
    }
}

struct TalkMessageView: ResponseEncodable, Encodable, Sendable {
    /// The role of admins in what they answer: they are not named.
    static let support = "support"

    let message: String
    let number: Int
    /// The sender's role in the conversation.
    let from: String
    let kind: String
    let text: String?
    let seconds: Int?
    let at: Date
    /// Whether it is a copy of what was said elsewhere.
    let forwarded: Bool
    /// Told admins alone, of what its sender has deleted.
    let deleted: Bool?

    init(_ message: TalkMessage, isDeleted: Bool? = nil) {
        self.message = message.id.text
        number = message.number
        from = message.senderRole
        kind = message.kind
        text = message.body
        seconds = message.seconds
        at = message.at
        forwarded = message.isForwarded
        deleted = isDeleted
    }
}

/// What an account has said, for its own copy of its data.
struct OwnMessageView: Encodable, Sendable {
    let conversation: String
    let message: String
    let number: Int
    let kind: String
    let text: String?
    let seconds: Int?
    let at: Date
    let forwarded: Bool

    init(_ message: TalkMessage) {
        conversation = message.conversation.text
        self.message = message.id.text
        number = message.number
        kind = message.kind
        text = message.body
        seconds = message.seconds
        at = message.at
        forwarded = message.isForwarded
    }
}

/// A message on a stream. Its sender's account is in it, except an admin's, so that the words can be taken out when the
/// account is gone.
struct ToldMessage: Encodable {
    let conversation: String
    let order: String?
    let message: String
    let number: Int
    let from: String
    let sender: String?
    let kind: String
    let text: String?
    let seconds: Int?
    let at: Date
    let forwarded: Bool

    init(_ message: TalkMessage, order: UUID?) {
        conversation = message.conversation.text
        self.order = order?.text
        self.message = message.id.text
        number = message.number
        from = message.senderRole
        sender = message.senderRole == TalkMessageView.support ? nil : message.sender.text
        kind = message.kind
        text = message.body
        seconds = message.seconds
        at = message.at
        forwarded = message.isForwarded
    }

    func json() throws -> String { try JSON.wire.text(self) }
}

/// How far a member has got, on the streams of all members.
struct ToldMarks: Encodable {
    let conversation: String
    let order: String?
    /// Of the member.
    let role: String
    let delivered: Int
    let read: Int
}

/// Somebody is typing. It is not stored.
struct ToldTyping: Encodable {
    let conversation: String
    let order: String?
    let role: String
}
