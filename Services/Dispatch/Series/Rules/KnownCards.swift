import Foundation

/// An account's stored cards as dispatch knows them from the wallet, to check the card of a series.
struct KnownCards: Equatable, Sendable {
    struct Card: Codable, Equatable, Sendable {
        let card: UUID
        /// 1...12; the card is valid until the end of this month.
        let expiryMonth: Int
        let expiryYear: Int
        /// True if the owner has agreed that recurring orders charge the card in the owner's absence.
        let isConsented: Bool
    }

    /// Why a card cannot be named, by the code in the catalogue.
    enum Fault: String, Equatable, Sendable {
        case noSuchCard = "no-such-card"
        case expired = "card-expired"
        /// The owner has not agreed to charges in absence.
        case notConsented = "card-not-consented"
    }

    /// True if one of the cards can be charged.
    let hasMethod: Bool
    /// Nil where only `hasMethod` is known.
    let cards: [Card]?

    /// - Parameters:
    ///   - card: the named card; nil stands for any whose owner has agreed.
    ///   - needsConsent: whether the owner must have agreed on the card itself, since nobody asks him or her now.
    /// - Returns: nil if the card can be named.
    func fault(of card: UUID?, needsConsent: Bool, at now: Date) -> Fault? {
        guard let cards else { return hasMethod ? nil : .noSuchCard }
        guard let card else {
            let usable = cards.contains { $0.isConsented && !$0.isPast(at: now) }
            return usable ? nil : .notConsented
        }
        guard let named = cards.first(where: { $0.card == card }) else { return .noSuchCard }
        if named.isPast(at: now) { return .expired }
        return needsConsent && !named.isConsented ? .notConsented : nil
    }
}

extension KnownCards.Card {
    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// True if the card's last month is over in every time zone; the last one is twelve hours behind UTC.
    func isPast(at now: Date) -> Bool {
        let parts = Self.calendar.dateComponents([.year, .month], from: now.addingTimeInterval(-12 * 3_600))
        return (parts.year ?? 0, parts.month ?? 1) > (expiryYear, expiryMonth)
    }
}
