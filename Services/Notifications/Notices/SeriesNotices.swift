import Contracts
import Foundation
import Messaging
import SeraiJSON

/// The notices about series of visits, in addition to those of their orders.
enum SeriesNotices {
    static func notices(_ event: SeriesVisitDropped, _ settings: MarketSettings?) throws -> [Notice] {
        let market = Market.named(event.market)
        let arguments: [String: TextArgument] = [
            "market": .words([market?.name.texts ?? ["en": event.market]]),
            // The day of the actual time, because the visit may have been moved.
            "day": .text(settings?.day(of: event.startsAt) ?? event.day),
            "reason": .words([clause(Market.words(forVisitOfSeries: event.reason))]),
        ]
        let isMissed = event.reason == "missed"
        let topic: InboxTopic =
            if isOfParcels(event.market) {
                isMissed ? .seriesParcelMissed : .seriesParcelRefused
            } else {
                isMissed ? .seriesVisitMissed : .seriesVisitRefused
            }
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
        let topic: InboxTopic =
            isOfParcels(event.market) ? .seriesParcelPrice : event.isLast ? .seriesPriceLast : .seriesPriceRose
        return [
            try .item(
                topic, arguments, to: event.customer, order: nil,
                at: event.at, id: .timeOrdered())
        ]
    }

    static func notices(_ event: SeriesEnded) throws -> [Notice] {
        [
            try .item(
                isOfParcels(event.market) ? .seriesParcelsEnded : .seriesEnded,
                [
                    "market": .words([Market.named(event.market)?.name.texts ?? ["en": event.market]]),
                    "reason": .words([clause(Market.words(forEndOfSeries: event.reason))]),
                ], to: event.customer, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    /// Acts of the desk for a caller; a person who did not ask for them can say so.
    static func notices(_ event: SeriesManaged) throws -> [Notice] {
        let topic: InboxTopic =
            switch event.act {
            case .begun: .seriesBegunForYou
            case .ended: .seriesEndedForYou
            case .skipped: .seriesVisitSkippedForYou
            case .moved: .seriesVisitMovedForYou
            case .paymentChanged: .seriesPaidOtherwiseForYou
            }
        let method =
            event.details["method"] == PaymentSnapshot.Method.wallet.rawValue
            ? ["en": "your wallet", "ar": "محفظتك"] : ["en": "your card", "ar": "بطاقتك"]
        return [
            try .item(
                topic,
                [
                    "market": .words([Market.named(event.market)?.name.texts ?? ["en": event.market]]),
                    "day": .text(event.details["day"] ?? ""), "time": .text(event.details["time"] ?? ""),
                    "method": .words([method]),
                ], to: event.customer, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    /// A market has series of visits or of parcels, not both.
    private static func isOfParcels(_ market: String) -> Bool {
        Market.named(market)?.kind(Market.Workflow.parcel.rawValue) != nil
    }

    /// A sentence of the market's words as a part of another sentence.
    private static func clause(_ sentence: LocalizedText) -> [String: String] {
        sentence.texts.mapValues { text in
            let words = text.hasSuffix(".") ? text.dropLast() : text[...]
            return words.prefix(1).lowercased() + words.dropFirst()
        }
    }
}
