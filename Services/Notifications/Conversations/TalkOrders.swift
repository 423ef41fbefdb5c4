import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// What conversations have to know of an order.
struct TalkOrder: Sendable {
    let order: UUID
    let market: String
    let kind: String
    let version: Int
    let state: String
    let customer: UUID
    let provider: UUID?
    let merchant: UUID?
    /// Nil while it runs.
    let endedAt: Date?
    let changedAt: Date

    init(_ order: OrderSnapshot) {
        self.order = order.order
        market = order.market
        kind = order.kind
        version = order.version
        state = order.state.rawValue
        customer = order.customer.account
        provider = order.provider?.account
        merchant = order.merchant?.account
        endedAt = order.state.isFinal || order.state == .disputed ? order.changedAt : nil
        changedAt = order.changedAt
    }
}

/// A conversation that two parties of an order may begin.
struct NewConversation: Sendable {
    struct Member: Sendable {
        let role: OrderSnapshot.Actor
        let account: UUID
        let name: String

        var key: String { "\(role.rawValue):\(account.text)" }
    }

    let id = UUID.timeOrdered()
    let market: String
    let order: UUID
    let members: [Member]
    let at: Date

    /// Names role and account of both, so that another driver of the same order has a conversation of his own.
    var pair: String { members.map(\.key).joined(separator: " ") }

    /// Those that the order's present state opens.
    static func all(of order: OrderSnapshot) -> [NewConversation] {
        guard let market = Market.named(order.market) else { return [] }
        return market.talkRules(of: order.kind).compactMap { rule in
            guard rule.states.contains(order.state), let first = order.member(rule.first),
                let second = order.member(rule.second), first.account != second.account
            else { return nil }
            return NewConversation(
                market: order.market, order: order.order, members: [first, second], at: order.changedAt)
        }
    }
}

extension OrderSnapshot {
    fileprivate func member(_ role: Actor) -> NewConversation.Member? {
        switch role {
        case .customer: .init(role: role, account: customer.account, name: customer.name)
        case .provider: provider.map { .init(role: role, account: $0.account, name: $0.name) }
        case .merchant: merchant.map { .init(role: role, account: $0.account, name: $0.name) }
        case .admin, .system: nil
        }
    }
}

/// Collects the orders of a batch of messages and stores them with two statements at the end of the transaction. Made
/// after the transaction's ``NoticeWriter``, so that all batches lock streams before orders.
final class TalkOrderWriter: CommitParticipant {
    private var orders: [OrderSnapshot] = []

    private init() {}

    /// The transaction's writer.
    static func of(_ transaction: PostgresTransaction) -> TalkOrderWriter {
        transaction.participant(TalkOrderWriter.self) { TalkOrderWriter() }
    }

    func remember(_ more: [OrderSnapshot]) { orders += more }

    func willCommit(_ transaction: PostgresTransaction) {
        Self.store(orders, isRepublished: false, in: transaction)
    }

    /// - Parameter isRepublished: whether what is as old as the stored row replaces it, too.
    static func store(_ orders: [OrderSnapshot], isRepublished: Bool, in transaction: PostgresTransaction) {
        // A conversation is made by each state that opens one, however late it is heard.
        let opened = orders.flatMap(NewConversation.all(of:))
        transaction.send(StoreTalkOrders(orders: orders.map(TalkOrder.init), isRepublished: isRepublished))
        if !opened.isEmpty { transaction.send(OpenConversations(conversations: opened)) }
    }
}

/// Hears of orders and of reports about them, and of ends of friendships.
enum TalkHandlers {
    static func register(_ hub: StreamHub, _ markets: LiveMarkets, in handlers: inout MessageHandlers) {
        handlers.on(OrdersTold.self, sharesTransaction: false) { received, transaction in
            let told = received.message.orders
            guard !told.isEmpty else { return }
            TalkOrderWriter.store(told.map(\.order), isRepublished: true, in: transaction)
            let reports = told.flatMap { one in one.reports.map { (report: $0, order: one.order.order) } }
            transaction.send(
                StoreTalkReports(
                    reports: reports.map {
                        .init(report: $0.report.report, order: $0.order, closedAt: $0.report.closedAt)
                    }))
            AdminItemWriter.of(transaction, hub).note(
                told.flatMap { OrderAdminFacts.of($0.order, markets.settings(of: $0.order.market)) })
        }
        handlers.on(LinkRemoved.self, sharesTransaction: false) { received, transaction in
            FriendTalk.end(received.message, in: transaction)
        }
        handlers.on(ReportOpened.self, sharesTransaction: false) { received, transaction in
            let event = received.message
            transaction.send(
                StoreTalkReports(reports: [.init(report: event.report, order: event.order, closedAt: nil)]))
            AdminItemWriter.of(transaction, hub).note([event], markets)
        }
        handlers.on(ReportDecided.self, sharesTransaction: false) { received, transaction in
            let event = received.message
            transaction.send(
                StoreTalkReports(reports: [.init(report: event.report, order: event.order, closedAt: event.at)]))
            AdminItemWriter.of(transaction, hub).note([event], markets)
        }
    }
}
