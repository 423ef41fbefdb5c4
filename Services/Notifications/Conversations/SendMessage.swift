import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// What somebody says.
struct TalkContent: Sendable {
    struct File: Sendable {
        let mediaType: String
        let bytes: [UInt8]
    }

    let kind: TalkMessage.Kind
    var text: String?
    var file: File?
    var seconds: Int?
    /// Whether it is a copy of what was said elsewhere.
    var isForwarded = false

    static func text(_ text: String) -> TalkContent { TalkContent(kind: .text, text: text) }

    init(kind: TalkMessage.Kind, text: String? = nil, file: File? = nil, seconds: Int? = nil, isForwarded: Bool = false)
    {
        self.kind = kind
        self.text = text
        self.file = file
        self.seconds = seconds
        self.isForwarded = isForwarded
    }
}

/// Says something in a conversation, and tells all its members on their streams. A message that was sent before is
/// answered again and told nobody.
///
/// Lock order: the conversation, then the members' streams (``NoticeWriter``, at the commit).
struct SendMessage: Sendable {
    let hub: StreamHub
    let markets: LiveMarkets

    /// - Parameter anyway: whether the sender wants to send a phone number all the same.
    /// - Throws: ``TalkRefusal``; a 404 ``Problem`` if the sender is no member.
    func callAsFunction(
        _ content: TalkContent, as id: UUID, in conversation: UUID, by sender: UUID, anyway: Bool = false,
        at now: Date, _ transaction: PostgresTransaction
    ) async throws -> TalkMessage {
        let (locks, talks) = try await transaction.queryAll(
            LockConversation(conversation: conversation), FindTalk(conversation: conversation, account: sender))
        guard let lock = locks.first, let talk = talks.first else { throw Problem.notFound }
        let (known, members) = try await transaction.queryAll(
            FindTalkMessage(conversation: conversation, id: id), ListTalkMembers(conversations: [conversation]))
        if let known = known.first {
            guard known.sender == sender else { throw TalkRefusal.idTaken }
            return known
        }
        guard talk.door(members, markets, at: now).isOpen else { throw TalkRefusal.closed }
        guard
            talk.isOfFriends
                || lock.lastNumber < Talk.maximumMessages
                    && (content.file == nil || lock.fileCount < Talk.maximumFiles)
        else { throw TalkRefusal.full }
        if let text = content.text, talk.hidesContacts, !talk.wasWarned, ContactWords.areIn(text) {
            guard anyway else { throw TalkRefusal.hasContact }
            transaction.send(MarkWarned(conversation: conversation, account: sender))
        }
        let message = try await store(content, as: id, in: conversation, by: sender, talk.role, now, transaction)
        if talk.isOfFriends {
            transaction.send(TrimTalkMessages(conversation: conversation, newest: message.number))
            if content.file != nil { transaction.send(TrimTalkFiles(conversation: conversation)) }
        }
        // Of an inquiry also the admin who has taken it, and nobody takes it meanwhile.
        let inquiry = talk.isInquiry ? try await transaction.first(LockInquiry(id: conversation)) : nil
        try tell(
            message, of: talk.order, members, also: inquiry?.takenBy, friends: talk.isOfFriends ? talk : nil,
            transaction)
        guard let inquiry else { return message }
        transaction.send(MarkInquiry(id: conversation, isAnswered: false, now: now))
        AdminItemWriter.of(transaction, hub).note([inquiry.waits(at: now)])
        return message
    }

    /// An admin's answer to an inquiry.
    func answer(
        _ content: TalkContent, as id: UUID, to inquiry: Inquiry, by admin: UUID, at now: Date,
        _ transaction: PostgresTransaction
    ) async throws -> TalkMessage {
        guard let lock = try await transaction.first(LockConversation(conversation: inquiry.id)) else {
            throw Problem.notFound
        }
        let (known, members) = try await transaction.queryAll(
            FindTalkMessage(conversation: inquiry.id, id: id), ListTalkMembers(conversations: [inquiry.id]))
        if let known = known.first {
            guard known.sender == admin else { throw TalkRefusal.idTaken }
            return known
        }
        guard lock.lastNumber < Talk.maximumMessages else { throw TalkRefusal.full }
        let message = try await store(
            content, as: id, in: inquiry.id, by: admin, TalkMessageView.support, now, transaction)
        try tell(message, of: nil, members, also: inquiry.takenBy ?? admin, title: inquiry.title, transaction)
        transaction.send(MarkInquiry(id: inquiry.id, isAnswered: true, now: now))
        AdminItemWriter.of(transaction, hub).note([.settled(.inquiry, inquiry.id, in: inquiry.market, at: now)])
        return message
    }

    private func store(
        _ content: TalkContent, as id: UUID, in conversation: UUID, by sender: UUID, _ role: String, _ now: Date,
        _ transaction: PostgresTransaction
    ) async throws -> TalkMessage {
        let insert = InsertTalkMessage(
            conversation: conversation, id: id, sender: sender, senderRole: role, content: content, now: now)
        guard let message = try await transaction.first(insert) else { throw Problem.notFound }
        if let file = content.file {
            transaction.send(InsertTalkFile(conversation: conversation, number: message.number, file: file))
        }
        return message
    }

    /// All members hear it, the sender's other devices too. Whoever has read everything so far gets an item as well, so
    /// that an unseen conversation makes one item and not a hundred.
    private func tell(
        _ message: TalkMessage, of order: UUID?, _ members: [TalkMember], also admin: UUID? = nil,
        title: String? = nil, friends talk: Talk? = nil, _ transaction: PostgresTransaction
    ) throws {
        let event = try ToldMessage(message, order: order).json()
        let accounts = members.map(\.account) + (admin.map { [$0] } ?? [])
        var notices = Set(accounts).map { Notice.told(.message, event, to: $0, order: order, at: message.at) }
        for member in members where member.account != message.sender && !member.hasUnread {
            if let title {
                notices.append(
                    try .item(
                        .inquiryAnswered,
                        ["title": .ownText(title, by: member.account), "inquiry": .text(message.conversation.text)],
                        to: member.account, order: nil, at: message.at, id: .timeOrdered()))
            } else if let sender = members.first(where: { $0.account == message.sender }) {
                var arguments: [String: TextArgument] = ["name": .person(name: sender.name, account: sender.account)]
                // Without an order the item opens the conversation itself.
                if talk != nil { arguments["inquiry"] = .text(message.conversation.text) }
                if let title = talk?.title, let leader = members.first(where: { $0.role == GroupTalk.leader }) {
                    arguments["title"] = .ownText(title, by: leader.account)
                }
                let topic: InboxTopic = talk == nil ? .talkMessage : talk?.group == nil ? .talkFriend : .talkGroup
                notices.append(
                    try .item(
                        topic, arguments, to: member.account, order: order,
                        at: message.at, id: .timeOrdered()))
            }
        }
        NoticeWriter.of(transaction, hub).tell(notices)
    }
}

extension Inquiry {
    /// It waits for an answer, also again: the admin who took it still has it.
    fileprivate func waits(at now: Date) -> AdminFact {
        var fact = AdminFact.waits(.inquiry, id, in: market, about: account, at: now)
        (fact.reopens, fact.takenBy) = (true, takenBy)
        return fact
    }
}
