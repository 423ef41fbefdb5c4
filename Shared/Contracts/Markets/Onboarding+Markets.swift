/// The onboarding that each market's requirements ask for. The markets' files refer to these values.
extension Market.Onboarding {
    /// Nafath's title verifies a provider; an admin's decision can replace it.
    public static let assef: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.providerCheck = .nafath
        return onboarding
    }()

    /// Admins create and invite care partners, who bring nothing themselves. Clients open the link of a mail (5.3.9),
    /// and register with an address.
    public static let edencare: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .email
        onboarding.providerCheck = .invitation
        onboarding.asksAddress = true
        return onboarding
    }()

    /// Every account with a confirmed number may carry parcels; people contact each other outside the platform.
    public static let carrepsa: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .sms
        onboarding.providerCheck = .confirmation
        onboarding.opensContact = true
        return onboarding
    }()

    /// Pilgrims confirm their number; the market has no providers.
    public static let hajji: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .sms
        return onboarding
    }()

    /// Drivers and restaurants bring papers. Riders are at least 13 years old, and under 16 name an adult.
    public static let btnc: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .email
        onboarding.terms = "2026-01"
        onboarding.customerAges = CustomerAges(minimum: 13, adultBelow: 16)
        onboarding.providerAges = ["driver": 20]
        onboarding.details = driverDetails + restaurantDetails + [Detail("bankAccount", .text(maximum: 40))]
        onboarding.papers = driverPapers + restaurantPapers
        return onboarding
    }()

    private static let driver: Set = ["driver"]
    private static let restaurant: Set = ["restaurant"]

    private static let driverDetails = [
        Detail("licenceNumber", .text(maximum: 40), titles: driver),
        Detail("licenceSince", .since(years: 4), titles: driver),
        Detail("vehicleMaker", .text(maximum: 60), titles: driver),
        Detail("vehicleModel", .text(maximum: 60), titles: driver),
        Detail("vehicleYear", .year(1980...2100), titles: driver),
        Detail("vehiclePlate", .text(maximum: 20), titles: driver),
        Detail("vehicleClass", .choice(["regular", "xl"]), titles: driver),
    ]
    private static let restaurantDetails = [
        Detail("businessNumber", .text(maximum: 40), titles: restaurant),
        Detail("contactPerson", .text(maximum: 100), titles: restaurant),
        Detail("contactMobile", .mobile, titles: restaurant),
        Detail("businessAddress", .text(maximum: 300), titles: restaurant),
    ]
    private static let driverPapers = [
        Paper("licence", ["en": "Driving licence", "ar": "رخصة القيادة"], titles: driver),
        Paper("police-clearance", ["en": "Police clearance", "ar": "شهادة خلو سوابق"], titles: driver),
        Paper("vehicle-registration", ["en": "Vehicle registration", "ar": "رخصة سير المركبة"], titles: driver),
        Paper("vehicle-insurance", ["en": "Vehicle insurance", "ar": "تأمين المركبة"], titles: driver),
    ]
    private static let restaurantPapers = [
        Paper("business-registration", ["en": "Business registration", "ar": "السجل التجاري"], titles: restaurant),
        Paper(
            "health-certificate", ["en": "Health and safety certificate", "ar": "شهادة الصحة والسلامة"],
            titles: restaurant),
        Paper("food-licence", ["en": "Food licence", "ar": "ترخيص الأغذية"], titles: restaurant),
        Paper("menu", ["en": "Menu", "ar": "قائمة الطعام"], titles: restaurant, isRequired: false),
    ]
}
