import Contracts
import Foundation
import LiveMarkets
import Postgres

/// A conversation in one member's view, with what is known of its order.
struct Talk: Sendable {
    /// An order is never talked about for longer. Friends are: the oldest of theirs go.
    static let maximumMessages = 5_000
    static let maximumFiles = 200

    let id: UUID
    let market: String
    /// Nil for one of friends, or with the support.
    let order: UUID?
    /// Of two friends.
    let link: UUID?
    /// Of a group of friends.
    let group: UUID?
    let title: String?
    /// When the friendship or the group ended.
    let friendsEndedAt: Date?
    let lastNumber: Int
    let lastAt: Date
    let role: String
    let read: Int
    let delivered: Int
    let wasWarned: Bool
    /// What was said up to this number is not the member's to read: the member came later.
    let since: Int
    /// Of the order; nil if dispatch has not told it yet.
    let kind: String?
    let state: String?
    let endedAt: Date?
    let parties: [String: UUID]
    /// Whether the member is banned where friends write. Of orders the roles of the caller's token say it.
    let isBanned: Bool
    let unread: Int

    static let columns: SQL = """
        c.id, c.market, c.order_id, c.last_number, c.last_at, m.role, m.read, m.delivered, m.was_warned, m.since,
        c.link_id, c.group_id, c.title, c.ended_at, o.kind, o.state, o.ended_at, o.customer, o.provider, o.merchant,
        c.order_id IS NULL AND EXISTS (
            SELECT FROM talk_bans AS b
            WHERE b.account = m.account AND b.market IN (c.market, '*') AND NOT b.is_lifted
                AND (b.until IS NULL OR b.until > clock_timestamp())),
        (SELECT count(*) FROM (
            SELECT FROM talk_messages AS x
            WHERE x.conversation = c.id AND x.number > m.read AND x.sender <> m.account LIMIT 100) AS u)
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        order = try row.next()
        lastNumber = try row.next()
        lastAt = try row.next()
        role = try row.next()
        read = try row.next()
        delivered = try row.next()
        wasWarned = try row.next()
        since = try row.next()
        link = try row.next()
        group = try row.next()
        title = try row.next()
        friendsEndedAt = try row.next()
        kind = try row.next()
        state = try row.next()
        endedAt = try row.next()
        var parties: [String: UUID] = [:]
        parties["customer"] = try row.next() as UUID?
        parties["provider"] = try row.next() as UUID?
        parties["merchant"] = try row.next() as UUID?
        self.parties = parties
        isBanned = try row.next()
        unread = try row.next()
    }

    /// Whether it is one with the support.
    var isInquiry: Bool { order == nil && !isOfFriends }
    var isOfFriends: Bool { link != nil || group != nil }

    /// Whether its members may write now.
    func door(_ members: [TalkMember], _ markets: LiveMarkets, at now: Date) -> TalkDoor {
        guard order != nil else { return friendsEndedAt == nil && !(isOfFriends && isBanned) ? .open : .closed }
        let roles = Set(members.map(\.role))
        guard let kind, let state, let market = Market.named(market),
            let rule = market.talkRules(of: kind).first(where: { [$0.first.rawValue, $0.second.rawValue] == roles })
        else { return .closed }
        let settings = markets.settings(of: market.id) ?? market.defaults
        return TalkDoor(
            state: state, endedAt: endedAt, states: Set(rule.states.map(\.rawValue)),
            afterSeconds: rule.goesOnAfter ? settings.talkAfterSeconds : nil,
            hasSameParties: members.allSatisfy { parties[$0.role] == $0.account }, at: now)
    }

    /// Whether its members are warned when they write down how to reach them (P8).
    var hidesContacts: Bool {
        guard order != nil, let kind else { return false }
        return Market.named(market)?.hidesContacts(of: kind) ?? true
    }
}

struct TalkMember: Sendable {
    let conversation: UUID
    let account: UUID
    let role: String
    let name: String
    let delivered: Int
    let read: Int
    /// Whether the others have said something that the member has not read.
    let hasUnread: Bool
}

/// A message as stored in its row.
struct TalkMessage: Sendable {
    enum Kind: String, Sendable, CaseIterable { case text, photo, voice, deleted, removed }

    let conversation: UUID
    let number: Int
    let id: UUID
    let sender: UUID
    let senderRole: String
    let kind: String
    let body: String?
    let seconds: Int?
    let at: Date
    let isForwarded: Bool

    static let columns: SQL = "conversation, number, id, sender, sender_role, kind, body, seconds, at, is_forwarded"

    init(_ row: inout RowReader) throws(PostgresError) {
        conversation = try row.next()
        number = try row.next()
        id = try row.next()
        sender = try row.next()
        senderRole = try row.next()
        kind = try row.next()
        body = try row.next()
        seconds = try row.next()
        at = try row.next()
        isForwarded = try row.next()
    }
}

/// Why something is not said, or not deleted.
enum TalkRefusal: Error, Equatable {
    /// The order's state allows no talk, or no longer.
    case closed
    case full
    /// The message has a phone number or an e-mail address, and its sender has not been warned yet (P8).
    case hasContact
    /// Another message has this id.
    case idTaken
    /// The hour in which it may be deleted is over.
    case tooLate
}
