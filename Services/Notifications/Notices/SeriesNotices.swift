import Contracts
import Foundation
import Messaging

/// The notices about series of visits, in addition to those of their orders.
enum SeriesNotices {
    static func notices(_ event: SeriesVisitDropped, _ settings: MarketSettings?) throws -> [Notice] {
        let market = Market.named(event.market)
        let arguments: [String: TextArgument] = [
            "market": .words([market?.name.texts ?? ["en": event.market]]),
            // The day of the actual time, because the visit may have been moved.
            "day": .text(settings?.day(of: event.startsAt) ?? event.day),
            "reason": .words([words(event.reason)]),
        ]
        let topic: InboxTopic = event.reason == "missed" ? .seriesVisitMissed : .seriesVisitRefused
        return [
            try .item(topic, arguments, to: event.customer, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    static func notices(_ event: SeriesPriceRose, _ settings: MarketSettings?) throws -> [Notice] {
        let arguments: [String: TextArgument] = [
            "market": .words([Market.named(event.market)?.name.texts ?? ["en": event.market]]),
            "day": .text(settings?.day(of: event.startsAt) ?? event.day),
            "agreed": TextArgument(event.agreed), "asked": TextArgument(event.asked),
            "until": .text(settings.map { $0.moment(of: event.until) } ?? WireTime.text(event.until)),
        ]
        return [
            try .item(
                event.isLast ? .seriesPriceLast : .seriesPriceRose, arguments, to: event.customer, order: nil,
                at: event.at, id: .timeOrdered())
        ]
    }

    static func notices(_ event: SeriesEnded) throws -> [Notice] {
        let reason: [String: String]
        switch event.reason {
        case "relative-left":
            reason = ["en": "the account of your relative is deleted", "ar": "حُذف حساب قريبك"]
        case "relative-banned", "relative-removed":
            reason = ["en": "your relative is no customer here any more", "ar": "لم يعد قريبك عميلًا هنا"]
        default: reason = ["en": "you are no customer here any more", "ar": "لم تعد عميلًا هنا"]
        }
        return [
            try .item(
                .seriesEnded,
                [
                    "market": .words([Market.named(event.market)?.name.texts ?? ["en": event.market]]),
                    "reason": .words([reason]),
                ], to: event.customer, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    private static func words(_ reason: String) -> [String: String] {
        switch reason {
        case "unknown-service": ["en": "a service is not offered any more", "ar": "إحدى الخدمات لم تعد متوفرة"]
        case "outside-opening-hours": ["en": "it is outside of the opening hours", "ar": "خارج ساعات العمل"]
        case "outside-service-area":
            ["en": "the place is outside of the service area", "ar": "المكان خارج نطاق الخدمة"]
        case "price-not-agreed":
            ["en": "you have not agreed to its new price", "ar": "لم توافق على السعر الجديد"]
        case "not-linked", "relative-left":
            ["en": "your relative is not linked to you any more", "ar": "لم يعد قريبك مرتبطًا بحسابك"]
        case "account-blocked":
            [
                "en": "a fine for a late cancellation has to be paid first",
                "ar": "يجب دفع غرامة الإلغاء المتأخر أولًا",
            ]
        default: ["en": "it cannot be ordered", "ar": "لا يمكن طلبها"]
        }
    }
}
