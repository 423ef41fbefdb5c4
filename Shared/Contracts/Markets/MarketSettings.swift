/// The settings that a market's admins change while it runs (P2). The market's file has the initial values.
public struct MarketSettings: Hashable, Sendable {
    public enum Key: String, Codable, Sendable, CaseIterable {
        case acceptWindowSeconds, paymentWindowSeconds, arrivalWindowSeconds
        case completionWindowSeconds, confirmationWindowSeconds
        case commissionBasisPoints, finePerKilometre, searchRadiusMetres, speedMetresPerMinute, nearbyMetres
        case subscriptionRequired
        case tariffs, surge, quoteSeconds
        case paymentMethods, openingHours, serviceArea
        case merchantCommissionBasisPoints, fineBasisPointsToPlatform, fineDays
        case noShowWaitSeconds, decisionWindowSeconds
        case searchWindowSeconds, offerWindowSeconds, assignmentWindowSeconds, deskWindowSeconds
        case depositWindowSeconds, preparationWindowSeconds
        case retentionMonths
        case phonePaymentWindowSeconds, startEarlySeconds
        case cancellationFee, startCodeRequired
        case currency, timeZone, languages, servicePrices
        case presenceRadiusMetres, openOrderLimit, cardHoldDays
        case dailyTopUpLimit, dailyCashOutLimit, secondApprovalAmount
    }

    /// A value that a setting cannot have. Nothing is changed then.
    public struct Refusal: Error, Hashable, Sendable {
        public let key: Key
        /// The allowed values, in English, for logs and for the detail of a problem.
        public let allowed: String
    }

    /// The languages of every market's own texts.
    public static let knownLanguages = ["ar", "en"]
    public static let knownPaymentMethods = ["card", "applePay", "googlePay", "payPal", "wallet", "cash"]

    /// ISO 4217, one of ``Currency/all``: for new prices. Agreed prices keep their currency.
    public internal(set) var currency: String
    /// IANA name: for everything computed from now on.
    public var timeZone: String
    /// Some of ``knownLanguages``; the first is the default.
    public var languages: [String]
    /// Prices of services that the market sets, by service, in minor units.
    public var servicePrices: [String: Int] = [:]
    /// Rates of late cancellations in the market's former currencies, as they were last.
    public internal(set) var formerRates: [String: LateRates] = [:]
    /// How long a provider has to answer a request.
    public var acceptWindowSeconds: Int
    /// How long a customer has to pay.
    public var paymentWindowSeconds: Int
    /// How long a provider may be on the way before the order counts as a no-show.
    public var arrivalWindowSeconds: Int
    /// After the arrival, one party has to confirm the work within this time; otherwise the work is not paid.
    public var completionWindowSeconds: Int
    /// The second party has to confirm within this time; otherwise the order is completed without it.
    public var confirmationWindowSeconds: Int
    /// The platform's share in hundredths of a percent: 1500 is 15 %.
    public var commissionBasisPoints: Int
    /// The price of each kilometre in a late cancellation, in minor units.
    public var finePerKilometre: Int
    /// The distance within which providers are searched.
    public var searchRadiusMetres: Int
    /// The speed for estimating travel times without a routing service.
    public var speedMetresPerMinute: Int
    /// The distance from which on a provider counts as near.
    public var nearbyMetres: Int
    /// Whether only providers with a running subscription get work (C8).
    public var subscriptionRequired = false
    /// Tariffs by class, such as `regular`, for quotes (C7). Without one there are no quotes.
    public var tariffs: [String: Tariff] = [:]
    public var surge = SurgeRule()
    /// How long a quote is binding.
    public var quoteSeconds = 300
    /// Some of ``knownPaymentMethods``.
    public var paymentMethods: [String]
    /// Whether cash is the only way to pay, so that promo codes do not apply.
    public var takesOnlyCash: Bool { !paymentMethods.isEmpty && paymentMethods.allSatisfy { $0 == "cash" } }
    /// The hours in which orders are accepted, in the market's zone; nil for all hours.
    public var openingHours: OpeningHours?
    /// A polygon of at least three corners, in order, not closed.
    public var serviceArea: [Coordinate]
    /// The platform's share of merchants' money, in hundredths of a percent.
    public var merchantCommissionBasisPoints = 1_500
    /// The platform's share of fines in hundredths of a percent; the rest goes to the provider for the wasted way.
    public var fineBasisPointsToPlatform = 1_500
    /// How long a fine can be paid before the account is blocked.
    public var fineDays = 30
    /// How long a provider waits after the arrival before reporting that the customer is absent.
    public var noShowWaitSeconds = 900
    /// How long a reported order waits for an admin's decision before a reminder, and again after each reminder.
    public var decisionWindowSeconds = 259_200
    /// How long a provider is searched, or an order is on the board, before the search ends.
    public var searchWindowSeconds = 300
    /// How long a provider has to answer the platform's offer.
    public var offerWindowSeconds = 20
    /// How long a provider has to answer an admin's assignment.
    public var assignmentWindowSeconds = 3_600
    /// How long an order waits at the admins' desk; an order for a later time waits at least until then.
    public var deskWindowSeconds = 86_400
    /// How long the wallet has to answer about a provider's deposit.
    public var depositWindowSeconds = 60
    /// How long a merchant has to prepare an order.
    public var preparationWindowSeconds = 3_600
    /// How long data of people in past orders and payments is kept, in months (Q9). Sums stay.
    public var retentionMonths = 18
    /// How long a customer has to pay when an admin has ordered for the customer.
    public var phonePaymentWindowSeconds = 172_800
    /// How long before its time a visit may begin.
    public var startEarlySeconds = 900
    /// The fee for cancelling a ride after a driver has accepted it, in minor units; the driver's way is charged in
    /// addition, by ``finePerKilometre``.
    public var cancellationFee = 0
    /// Whether a driver needs the rider's code to begin a ride.
    public var startCodeRequired = false
    /// How near a provider must be to the place to say "arrived", "started" or "done" there.
    public var presenceRadiusMetres = 300
    /// How many open orders an account may have as customer.
    public var openOrderLimit = 20
    /// How long money from a card cannot be cashed out. It can be spent at once.
    public var cardHoldDays = 14
    /// The limit of top-ups of an account in a day of the market, in minor units.
    public var dailyTopUpLimit = 500_000
    /// The limit of cash-outs of an account in a day of the market, in minor units.
    public var dailyCashOutLimit = 1_000_000
    /// Cash-outs and refunds above this amount need a second admin, in minor units.
    public var secondApprovalAmount = 200_000

    public init(
        currency: String, timeZone: String, languages: [String],
        acceptWindowSeconds: Int, paymentWindowSeconds: Int, arrivalWindowSeconds: Int, completionWindowSeconds: Int,
        confirmationWindowSeconds: Int, commissionBasisPoints: Int, finePerKilometre: Int, searchRadiusMetres: Int,
        speedMetresPerMinute: Int,
        nearbyMetres: Int, paymentMethods: [String], openingHours: OpeningHours?, serviceArea: [Coordinate]
    ) {
        self.currency = currency
        self.timeZone = timeZone
        self.languages = languages
        self.acceptWindowSeconds = acceptWindowSeconds
        self.paymentWindowSeconds = paymentWindowSeconds
        self.arrivalWindowSeconds = arrivalWindowSeconds
        self.completionWindowSeconds = completionWindowSeconds
        self.confirmationWindowSeconds = confirmationWindowSeconds
        self.commissionBasisPoints = commissionBasisPoints
        self.finePerKilometre = finePerKilometre
        self.searchRadiusMetres = searchRadiusMetres
        self.speedMetresPerMinute = speedMetresPerMinute
        self.nearbyMetres = nearbyMetres
        self.paymentMethods = paymentMethods
        self.openingHours = openingHours
        self.serviceArea = serviceArea
    }

    /// The value of a setting, in the form of ``set(_:to:)``.
    public func text(of key: Key) -> String {
        switch key {
        case .acceptWindowSeconds: String(acceptWindowSeconds)
        case .paymentWindowSeconds: String(paymentWindowSeconds)
        case .arrivalWindowSeconds: String(arrivalWindowSeconds)
        case .completionWindowSeconds: String(completionWindowSeconds)
        case .confirmationWindowSeconds: String(confirmationWindowSeconds)
        case .commissionBasisPoints: String(commissionBasisPoints)
        case .finePerKilometre: String(finePerKilometre)
        case .searchRadiusMetres: String(searchRadiusMetres)
        case .speedMetresPerMinute: String(speedMetresPerMinute)
        case .nearbyMetres: String(nearbyMetres)
        case .subscriptionRequired: String(subscriptionRequired)
        case .tariffs: Self.text(of: tariffs)
        case .surge: surge.text
        case .quoteSeconds: String(quoteSeconds)
        case .paymentMethods: paymentMethods.joined(separator: ",")
        case .openingHours: openingHours.map(\.text) ?? "always"
        case .serviceArea: serviceArea.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")
        case .merchantCommissionBasisPoints: String(merchantCommissionBasisPoints)
        case .fineBasisPointsToPlatform: String(fineBasisPointsToPlatform)
        case .fineDays: String(fineDays)
        case .noShowWaitSeconds: String(noShowWaitSeconds)
        case .decisionWindowSeconds: String(decisionWindowSeconds)
        case .searchWindowSeconds: String(searchWindowSeconds)
        case .offerWindowSeconds: String(offerWindowSeconds)
        case .assignmentWindowSeconds: String(assignmentWindowSeconds)
        case .deskWindowSeconds: String(deskWindowSeconds)
        case .depositWindowSeconds: String(depositWindowSeconds)
        case .preparationWindowSeconds: String(preparationWindowSeconds)
        case .retentionMonths: String(retentionMonths)
        case .phonePaymentWindowSeconds: String(phonePaymentWindowSeconds)
        case .startEarlySeconds: String(startEarlySeconds)
        case .cancellationFee: String(cancellationFee)
        case .startCodeRequired: String(startCodeRequired)
        case .presenceRadiusMetres: String(presenceRadiusMetres)
        case .openOrderLimit: String(openOrderLimit)
        case .cardHoldDays: String(cardHoldDays)
        case .dailyTopUpLimit: String(dailyTopUpLimit)
        case .dailyCashOutLimit: String(dailyCashOutLimit)
        case .secondApprovalAmount: String(secondApprovalAmount)
        case .currency: moneyText
        case .timeZone: timeZone
        case .languages: languages.joined(separator: ",")
        case .servicePrices: Self.text(ofPrices: servicePrices)
        }
    }

    /// - Parameter text: a whole number; `true` or `false`; `card,cash` for lists; `08:00-20:00` or `always` for hours;
    ///   `24.5,46.4 25.1,46.4 25.1,47.0` (latitude,longitude) for an area; for the currency as ``moneyText``.
    public mutating func set(_ key: Key, to text: String) throws(Refusal) {
        switch key {
        case .acceptWindowSeconds: acceptWindowSeconds = try Self.number(text, key, 1...86_400)
        case .paymentWindowSeconds: paymentWindowSeconds = try Self.number(text, key, 1...86_400)
        case .arrivalWindowSeconds: arrivalWindowSeconds = try Self.number(text, key, 1...604_800)
        case .completionWindowSeconds: completionWindowSeconds = try Self.number(text, key, 1...604_800)
        case .confirmationWindowSeconds: confirmationWindowSeconds = try Self.number(text, key, 1...604_800)
        case .commissionBasisPoints: commissionBasisPoints = try Self.number(text, key, 0...10_000)
        case .finePerKilometre: finePerKilometre = try Self.number(text, key, 0...1_000_000)
        case .searchRadiusMetres: searchRadiusMetres = try Self.number(text, key, 100...500_000)
        case .speedMetresPerMinute: speedMetresPerMinute = try Self.number(text, key, 10...3_000)
        case .nearbyMetres: nearbyMetres = try Self.number(text, key, 10...10_000)
        case .subscriptionRequired: subscriptionRequired = try Self.flag(text, key)
        case .tariffs: tariffs = try Self.tariffs(text, key)
        case .surge: surge = try Self.surge(text, key)
        case .quoteSeconds: quoteSeconds = try Self.number(text, key, 10...86_400)
        case .paymentMethods: paymentMethods = try Self.choices(text, of: Self.knownPaymentMethods, key)
        case .openingHours:
            if text == "always" {
                openingHours = nil
            } else if let hours = OpeningHours(text) {
                openingHours = hours
            } else {
                throw Refusal(key: key, allowed: "always, or HH:MM-HH:MM")
            }
        case .serviceArea: serviceArea = try Self.area(text, key)
        case .merchantCommissionBasisPoints: merchantCommissionBasisPoints = try Self.number(text, key, 0...10_000)
        case .fineBasisPointsToPlatform: fineBasisPointsToPlatform = try Self.number(text, key, 0...10_000)
        case .fineDays: fineDays = try Self.number(text, key, 1...365)
        case .noShowWaitSeconds: noShowWaitSeconds = try Self.number(text, key, 1...86_400)
        case .decisionWindowSeconds: decisionWindowSeconds = try Self.number(text, key, 1...2_592_000)
        case .searchWindowSeconds: searchWindowSeconds = try Self.number(text, key, 1...2_592_000)
        case .offerWindowSeconds: offerWindowSeconds = try Self.number(text, key, 1...3_600)
        case .assignmentWindowSeconds: assignmentWindowSeconds = try Self.number(text, key, 1...604_800)
        case .deskWindowSeconds: deskWindowSeconds = try Self.number(text, key, 1...2_592_000)
        case .depositWindowSeconds: depositWindowSeconds = try Self.number(text, key, 1...86_400)
        case .preparationWindowSeconds: preparationWindowSeconds = try Self.number(text, key, 1...86_400)
        case .retentionMonths: retentionMonths = try Self.number(text, key, 3...120)
        case .phonePaymentWindowSeconds: phonePaymentWindowSeconds = try Self.number(text, key, 1...2_592_000)
        case .startEarlySeconds: startEarlySeconds = try Self.number(text, key, 0...86_400)
        case .cancellationFee: cancellationFee = try Self.number(text, key, 0...1_000_000)
        case .startCodeRequired: startCodeRequired = try Self.flag(text, key)
        case .presenceRadiusMetres: presenceRadiusMetres = try Self.number(text, key, 30...10_000)
        case .openOrderLimit: openOrderLimit = try Self.number(text, key, 1...1_000)
        case .cardHoldDays: cardHoldDays = try Self.number(text, key, 0...365)
        case .dailyTopUpLimit: dailyTopUpLimit = try Self.number(text, key, 0...1_000_000_000)
        case .dailyCashOutLimit: dailyCashOutLimit = try Self.number(text, key, 0...1_000_000_000)
        case .secondApprovalAmount: secondApprovalAmount = try Self.number(text, key, 0...1_000_000_000)
        case .currency: self = try withMoney(text)
        case .timeZone: timeZone = try Self.zone(text, key)
        case .languages: languages = try Self.choices(text, of: Self.knownLanguages, key)
        case .servicePrices: servicePrices = try Self.prices(text, key)
        }
    }

    private static func number(_ text: String, _ key: Key, _ range: ClosedRange<Int>) throws(Refusal) -> Int {
        guard let value = Int(plain: text), range.contains(value) else {
            throw Refusal(key: key, allowed: "\(range.lowerBound)...\(range.upperBound)")
        }
        return value
    }

    private static func choices(_ text: String, of known: [String], _ key: Key) throws(Refusal) -> [String] {
        let chosen = text.split(separator: ",").map(String.init)
        guard !chosen.isEmpty, Set(chosen).count == chosen.count, Set(known).isSuperset(of: chosen) else {
            throw Refusal(key: key, allowed: "\(known.joined(separator: ", ")), separated by commas")
        }
        return chosen
    }

    private static func flag(_ text: String, _ key: Key) throws(Refusal) -> Bool {
        guard let flag = Bool(text) else { throw Refusal(key: key, allowed: "true or false") }
        return flag
    }

    private static func area(_ text: String, _ key: Key) throws(Refusal) -> [Coordinate] {
        let refusal = Refusal(
            key: key,
            allowed:
                "3 to 200 corners LATITUDE,LONGITUDE separated by spaces, whose edges enclose a surface and do not cross"
        )
        var corners: [Coordinate] = []
        for corner in text.split(separator: " ") {
            let texts = corner.split(separator: ",", omittingEmptySubsequences: false)
            let parts = texts.compactMap { Double(plain: $0) }
            guard texts.count == 2, parts.count == 2, (-90...90).contains(parts[0]), (-180...180).contains(parts[1])
            else {
                throw refusal
            }
            corners.append(Coordinate(latitude: parts[0], longitude: parts[1]))
        }
        guard (3...200).contains(corners.count), ServiceArea(corners: corners).isSimple else { throw refusal }
        return corners
    }
}
