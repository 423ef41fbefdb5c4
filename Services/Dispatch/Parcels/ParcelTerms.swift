import Contracts
import Foundation

/// Terms between the owner and the carrier of a parcel besides the payment, fixed when the parcel is posted.
extension Order.Parcel {
    /// The rating that the owner asks of a carrier, and the platform's fee for it. The fee is beside the payment.
    struct MinimumRating: Sendable, Hashable, Codable {
        /// In tenths of a star: 10...50.
        var tenths: Int
        /// Minor units.
        var fee: Int
    }

    /// How the pay falls when the parcel is late.
    struct LateTerms: Sendable, Hashable, Codable {
        /// From the owner's word that it was picked up until the delivery.
        var seconds: Int
        /// After that time the pay falls evenly for so long.
        var fallSeconds: Int
        /// The pay falls to this percentage, and no lower.
        var lowestPercent: Int

        /// The percentage of the pay for a delivery so many seconds after the pick-up, rounded up.
        func percent(after taken: Int) -> Int {
            guard taken > seconds else { return 100 }
            let late = min(taken - seconds, fallSeconds)
            return 100 - (100 - lowestPercent) * late / max(1, fallSeconds)
        }
    }

    /// The series that posted the parcel, and its owner's agreement to be charged.
    struct Recurring: Sendable, Hashable, Codable {
        var series: UUID
        /// The only currency in which the owner agreed to be charged.
        var currency: String
        var consent: Order.HomeCare.Consent?
    }

    /// When the parcel was delivered, and what part of the pay that is.
    struct Delivery: Sendable, Hashable, Codable {
        var at: Date
        var percent: Int
    }

    /// Fee of the platform in the price, in minor units.
    var fee: Int { minimumRating?.fee ?? 0 }

    /// A carrier's average and number of ratings satisfy the owner. A carrier without ratings does not. The average is
    /// rounded to tenths, as it is shown.
    func accepts(_ standing: OrderDetails.Standing) -> Bool {
        guard let minimumRating else { return true }
        return standing.tenths.map { $0 >= minimumRating.tenths } ?? false
    }
}

extension Order.Parcel.LateTerms {
    /// The time that a parcel may take: the way along the streets at the market's speed, twice, since it must be generous,
    /// rounded up.
    init(_ rule: MarketSettings.LatePay, metres: Int, metresPerMinute: Int) {
        let way = Double(metres) * GreatCircleTimes.detour / Double(max(1, metresPerMinute)) * 60
        let unit = rule.roundingHours * 3_600
        let units = max(1, Int((way * 2 / Double(unit)).rounded(.up)))
        self.init(seconds: units * unit, fallSeconds: rule.fallHours * 3_600, lowestPercent: rule.lowestPercent)
    }
}

extension Order {
    /// The end of the promised time; nil before the pick-up, and where lateness costs nothing.
    var deliverBy: Date? {
        guard let late = parcel?.late, let arrivedAt, state == .inProgress || parcel?.delivery != nil else {
            return nil
        }
        return arrivedAt.addingTimeInterval(Double(late.seconds))
    }

    /// Lowers the pay of a late parcel when it is completed, by its terms. The delivery counts from the carrier's word, if
    /// the carrier spoke first, so that an owner who is slow to confirm pays no less.
    ///
    /// - Parameter before: the order before the transition.
    mutating func payForDelivery(_ before: Order) {
        guard case .parcel(var parcel)? = particulars, let late = parcel.late, let begin = before.arrivedAt else {
            return
        }
        let at = before.confirmedBy.contains(.provider) ? before.changedAt : changedAt
        let percent = late.percent(after: Int(at.timeIntervalSince(begin)))
        parcel.delivery = Order.Parcel.Delivery(at: at, percent: percent)
        particulars = .parcel(parcel)
        guard percent < 100 else { return }
        // The fee is the platform's, whenever the parcel comes.
        total = lines.first.map { parcel.fee + Self.part($0.price, percent) } ?? total
        reason = "delivered-late"
    }

    /// The carrier's part of a price that has a fee in it; nil where all of it is the provider's.
    var carrierPay: Int? {
        guard let parcel, parcel.fee > 0, let pay = lines.first else { return nil }
        return Self.part(pay.price, parcel.delivery?.percent ?? 100)
    }

    private static func part(_ price: Int, _ percent: Int) -> Int {
        let (whole, rest) = price.quotientAndRemainder(dividingBy: 100)
        return whole * percent + (rest * percent + 99) / 100
    }
}
