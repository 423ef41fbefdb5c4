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
        case searchWindowSeconds, offerWindowSeconds, assignmentWindowSeconds, deskWindowSeconds, deskWarningSeconds
        case visitWarningSeconds
        case depositWindowSeconds, preparationWindowSeconds
        case retentionMonths
        case phonePaymentWindowSeconds, startEarlySeconds
        case cancellationFee, startCodeRequired
        case currency, timeZone, languages, servicePrices
        case presenceRadiusMetres, openOrderLimit, cardHoldDays
        case dailyTopUpLimit, dailyCashOutLimit, secondApprovalAmount
        case parcelRates, latePay
        case deskTakesCash
        case supportPhone, supportEmail
        case talkAfterSeconds
        case firstReminderSeconds, lastReminderSeconds
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
    /// How long a visit "at once" waits at the desk before its customer and the admins are told that nobody is assigned.
    public var deskWarningSeconds = 900
    /// How long before its time the same is told of a visit for later.
    public var visitWarningSeconds = 3_600
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
    /// Amounts for parcels.
    public var parcelRates = ParcelRates.none
    /// How the pay of a late parcel falls; nil where it does not.
    public var latePay: LatePay?
    /// Whether admins take cash at the desk; it is the platform's money then.
    public var deskTakesCash = false
    /// By which people reach the market's support, in the form of E.164 (N6); nil for none.
    public var supportPhone: String?
    public var supportEmail: String?
    /// How long the parties of an order may go on writing to each other after its end (N4).
    public var talkAfterSeconds = 86_400
    /// How long before an appointment its parties are reminded of it; 0 for no such reminder.
    public var firstReminderSeconds = 86_400
    /// The same for the second reminder.
    public var lastReminderSeconds = 3_600

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
}
