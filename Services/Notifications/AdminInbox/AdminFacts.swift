import Contracts
import Foundation
import Messaging

/// Which event opens or settles what for the admins of a market. Orders have ``OrderAdminFacts``.
enum AdminFacts {
    /// - Parameter market: the market with an id, with its words of now.
    static func of(_ message: any Message, _ market: (String) -> Market?) -> [AdminFact] {
        people(message, market) ?? money(message) ?? reports(message, market) ?? []
    }

    private static func people(_ message: any Message, _ market: (String) -> Market?) -> [AdminFact]? {
        switch message {
        case let event as LinkMoved:
            guard let market = event.market, event.kind == .family else { return [] }
            switch event.step {
            case .asked: return []
            case .agreed: return [.waits(.family, event.link, in: market, about: event.from.account, at: event.at)]
            case .confirmed, .withdrawn, .removed:
                return [.settled(.family, event.link, in: market, at: event.at)]
            }
        case let event as RemovalAsked:
            return [.waits(.removal, event.account, in: event.market, about: event.account, at: event.at)]
        case let event as AccountManaged:
            switch event.act {
            case .kept, .removed: return [.settled(.removal, event.account, in: event.market, at: event.at)]
            case .roleGiven: return [.settled(.profession, event.account, in: event.market, at: event.at)]
            default: return []
            }
        case let event as DocumentSubmitted:
            let paper = market(event.market)?.onboarding.papers.first { $0.id == event.kind }?.name.texts
            var fact = AdminFact.waits(
                .papers, event.account, in: event.market, about: event.account,
                ["paper": .words([paper ?? ["en": event.kind]])], at: event.at)
            fact.reopens = true
            return [fact]
        case let event as DocumentDecided:
            return event.isLast == true ? [.settled(.papers, event.account, in: event.market, at: event.at)] : []
        case let event as ProviderVerified:
            return decided(event.account.account, in: event.market, at: event.at)
        case let event as ProviderRejected:
            return decided(event.account.account, in: event.market, at: event.at)
        case let event as TitleQuestioned:
            return event.isDeclined
                ? [.settled(.profession, event.account, in: event.market, at: event.at)]
                : [.waits(.profession, event.account, in: event.market, about: event.account, at: event.at)]
        default: return nil
        }
    }

    private static func decided(_ account: UUID, in market: String, at: Date) -> [AdminFact] {
        [.settled(.papers, account, in: market, at: at), .settled(.profession, account, in: market, at: at)]
    }

    private static func money(_ message: any Message) -> [AdminFact]? {
        switch message {
        case let event as CashOutAsked:
            [
                .waits(
                    .cashOut, event.cashOut, in: event.market, about: event.account,
                    ["amount": TextArgument(event.amount)], at: event.at)
            ]
        case let event as CashOutDecided: [.settled(.cashOut, event.cashOut, in: event.market, at: event.at)]
        case let event as CashOutFailed: [.settled(.cashOut, event.cashOut, in: event.market, at: event.at)]
        case let event as ApprovalChanged: approval(event)
        case let event as ApprovalEnded: [.settled(.approval, event.approval, in: event.market, at: event.at)]
        case let event as DisputeChanged:
            [.inquiry, .open].contains(event.state)
                ? [
                    .waits(
                        .dispute, event.dispute, in: event.market, about: event.account, order: event.order,
                        ["amount": TextArgument(event.amount)], at: event.at)
                ] : [.settled(.dispute, event.dispute, in: event.market, at: event.at)]
        default: nil
        }
    }

    /// Whoever began it may not take it. A cash-out that the first admin has accepted waits for the second one alone.
    private static func approval(_ event: ApprovalChanged) -> [AdminFact] {
        guard event.state == .waiting else {
            return [.settled(.approval, event.approval, in: event.market, at: event.at)]
        }
        let waits = AdminFact.waits(
            .approval, event.approval, in: event.market, about: event.by, ["amount": TextArgument(event.amount)],
            at: event.at)
        guard event.kind == .cashOut else { return [waits] }
        return [waits, .settled(.cashOut, event.subject, in: event.market, at: event.at)]
    }

    private static func reports(_ message: any Message, _ market: (String) -> Market?) -> [AdminFact]? {
        switch message {
        case let event as ReportOpened:
            let reason = market(event.market)?.words(for: event.reason)?.texts
            return [
                .waits(
                    .report, event.report, in: event.market, about: event.account, order: event.order,
                    ["reason": .words([reason ?? ["en": event.reason]])], at: event.at)
            ]
        case let event as ReportDecided: return [.settled(.report, event.report, in: event.market, at: event.at)]
        case let event as ReportAnswered: return [.settled(.report, event.report, in: event.market, at: event.at)]
        default: return nil
        }
    }
}
