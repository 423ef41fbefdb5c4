import Contracts
import Foundation
import Messaging

/// The notices about a person's own account.
enum PersonNotices {
    static func notices(_ event: ProviderVerified) throws -> [Notice] {
        [
            try .item(
                .providerVerified, ["market": market(event.market)], to: event.account.account, order: nil,
                at: event.at, id: .timeOrdered())
        ]
    }

    static func notices(_ event: ProviderRejected) throws -> [Notice] {
        [
            try .item(
                .providerRejected, ["market": market(event.market), "reason": .text(event.reason)],
                to: event.account.account, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    /// An admin looks at a job title, or has found that it is none of the market's.
    static func notices(_ event: TitleQuestioned) throws -> [Notice] {
        [
            try .item(
                event.isDeclined ? .titleDeclined : .titleQuestioned, ["market": market(event.market)],
                to: event.account, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    /// The customer of a visit may go on waiting, choose another time, or cancel. A relative who is visited, and may see
    /// the order, hears it, too.
    static func notices(_ event: OrderNobodyYet) throws -> [Notice] {
        let order = event.order
        func item(_ topic: InboxTopic, to account: UUID) throws -> Notice {
            let arguments: [String: TextArgument] = [
                "services": .words(order.services.map(\.name.texts)), "customer": TextArgument(order.customer),
            ]
            return try .item(
                topic, arguments, to: account, order: order.order, at: event.at, id: .timeOrdered(),
                asOf: order.version)
        }
        var items = [try item(.orderNobodyYet, to: order.customer.account)]
        if let recipient = order.recipient, recipient.sees, recipient.account != order.customer.account {
            items.append(try item(.visitForYouNobodyYet, to: recipient.account))
        }
        return items
    }

    /// The owner of a parcel may follow its carrier, or no longer.
    static func notices(_ event: WayShared) throws -> [Notice] {
        let order = event.order
        let arguments: [String: TextArgument] = [
            // The parcel has the name that its owner gave it.
            "services": .ownWords(order.services.map(\.name.texts), by: order.customer.account),
            "provider": TextArgument(order.provider),
        ]
        return [
            try .item(
                event.isOn ? .wayShared : .wayNotShared, arguments, to: order.customer.account, order: order.order,
                at: event.at, id: .timeOrdered())
        ]
    }

    /// Nobody sees a provider who has no subscription where the market asks for one.
    static func notices(_ event: ProviderUnseen) throws -> [Notice] {
        [
            try .item(
                .providerNotSubscribed, ["market": market(event.market)], to: event.account, order: nil, at: event.at,
                id: .timeOrdered())
        ]
    }

    /// A verified document makes no notice; the provider's verification does.
    static func notices(_ event: DocumentDecided) throws -> [Notice] {
        guard !event.isVerified else { return [] }
        let name = Market.named(event.market)?.onboarding.papers.first { $0.id == event.kind }?.name.texts
        return [
            try .item(
                .documentRejected,
                [
                    "market": market(event.market), "paper": .words([name ?? ["en": event.kind]]),
                    "reason": .text(event.reason ?? ""),
                ], to: event.account, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    static func notices(_ event: DocumentExpiring) throws -> [Notice] {
        let name = Market.named(event.market)?.onboarding.papers.first { $0.id == event.kind }?.name.texts
        return [
            try .item(
                event.isLapsed ? .documentLapsed : .documentExpiring,
                [
                    "market": market(event.market), "paper": .words([name ?? ["en": event.kind]]),
                    "day": .text(event.expiresOn),
                ], to: event.account, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    /// Says that a rating exists, not its stars; dispatch shows it to a party that has given one.
    static func notices(_ event: RatingGiven) throws -> [Notice] {
        [try .item(.rated, [:], to: event.to, order: event.order, at: event.at, id: .timeOrdered())]
    }

    static func notices(_ event: ReportAnswered) throws -> [Notice] {
        [
            try .item(
                .orderReportAnswered, ["answer": .text(event.answer)], to: event.account, order: event.order,
                at: event.at, id: .timeOrdered())
        ]
    }

    static func notices(_ event: DeletionRefused) throws -> [Notice] {
        [
            try .item(
                .deletionRefused, ["reasons": .words(event.all.map { words($0, owed: event.owed ?? []) })],
                to: event.account, order: nil,
                at: event.at, id: .timeOrdered())
        ]
    }

    private static func words(_ obstacle: DeletionObstacle, owed: [Money]) -> [String: String] {
        switch obstacle {
        case .unpaid where !owed.isEmpty:
            ["en": "you owe \(sums(owed, in: "en"))", "ar": "عليك مبلغ مستحق قدره \(sums(owed, in: "ar"))"]
        case .openOrder: ["en": "an order is open", "ar": "يوجد طلب مفتوح"]
        case .activeSeries:
            [
                "en": "visits that come again are still ordered, so end these first",
                "ar": "لا تزال زيارات متكررة تُطلب، فأنهِها أولًا",
            ]
        case .balance: ["en": "there is money in your wallet", "ar": "يوجد رصيد في محفظتك"]
        case .unpaid: ["en": "you owe money", "ar": "عليك مبلغ مستحق"]
        case .heldMoney: ["en": "money is still held for an order", "ar": "لا يزال مبلغ محجوزًا لطلب"]
        case .waitingMoney:
            ["en": "money that others owe you has not come yet", "ar": "لم يصل بعد مبلغ مستحق لك على غيرك"]
        case .topUp: ["en": "a top-up is under way", "ar": "عملية شحن قيد التنفيذ"]
        case .admin: ["en": "you are an admin", "ar": "أنت مشرف"]
        case .banned: ["en": "your account is banned", "ar": "حسابك محظور"]
        case .noAnswer: ["en": "it could not be checked now", "ar": "تعذر التحقق الآن"]
        }
    }

    private static func sums(_ owed: [Money], in language: String) -> String {
        owed.map { MoneyText.text($0.amount, $0.currency, in: language) }
            .joined(separator: language == "ar" ? " و" : " and ")
    }

    static func market(_ id: String) -> TextArgument {
        .words([Market.named(id)?.name.texts ?? ["en": id]])
    }
}
