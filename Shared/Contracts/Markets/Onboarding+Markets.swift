/// The onboarding that each market's requirements ask for. The markets' files refer to these values.
extension Market.Onboarding {
    /// Nafath's title verifies a provider; an admin's decision can replace it. Nafath proves the mobile number; where a
    /// deployment takes passwords instead, an SMS does.
    public static let assef: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .sms
        onboarding.providerCheck = .nafath
        onboarding.terms = .assef
        return onboarding
    }()

    /// Admins create and invite care partners, who bring nothing themselves. Clients open the link of a mail (5.3.9),
    /// and register with an address.
    public static let edencare: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .email
        onboarding.providerCheck = .invitation
        onboarding.asksAddress = true
        onboarding.asksFamily = true
        onboarding.terms = .edencare
        return onboarding
    }()

    /// Every account with a confirmed number may carry parcels.
    public static let carrepsa: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .sms
        onboarding.providerCheck = .confirmation
        onboarding.terms = .carrepsa
        onboarding.enforcesTerms = true
        onboarding.publishesContact = true
        return onboarding
    }()

    /// Pilgrims confirm their number; the market has no providers.
    public static let hajji: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .sms
        onboarding.terms = .hajji
        return onboarding
    }()

    /// Drivers and restaurants bring papers. Riders are at least 13 years old, and under 16 name an adult.
    public static let btnc: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .email
        onboarding.terms = .btnc
        onboarding.customerAges = CustomerAges(minimum: 13, adultBelow: 16)
        onboarding.providerAges = ["driver": 20]
        onboarding.billingAddressOf = ["customer", "driver"]
        onboarding.details = driverDetails + restaurantDetails
        onboarding.papers = driverPapers + restaurantPapers
        return onboarding
    }()

    private static let driver: Set = ["driver"]
    private static let restaurant: Set = ["restaurant"]

    private static let driverDetails = [
        Detail(
            "licenceNumber", ["en": "Number of the driving licence", "ar": "رقم رخصة القيادة"], .text(maximum: 40),
            titles: driver),
        Detail(
            "licenceSince", ["en": "Licence held since", "ar": "تاريخ الحصول على الرخصة"], .since(years: 4),
            titles: driver),
        Detail(
            "vehicleMaker", ["en": "Make of the vehicle", "ar": "الشركة المصنّعة للمركبة"], .text(maximum: 60),
            titles: driver),
        Detail("vehicleModel", ["en": "Model", "ar": "الطراز"], .text(maximum: 60), titles: driver),
        Detail("vehicleYear", ["en": "Year of the model", "ar": "سنة الصنع"], .year(1980...2100), titles: driver),
        Detail("vehiclePlate", ["en": "Number plate", "ar": "رقم اللوحة"], .text(maximum: 20), titles: driver),
        // Riders look for the car by it; those who drove before it was asked give it with their next change.
        Detail(
            "vehicleColour", ["en": "Colour of the vehicle", "ar": "لون المركبة"],
            .choice(VehicleColour.allCases.map { Detail.Choice($0.rawValue, $0.name) }), titles: driver),
        Detail(
            "vehicleClass", ["en": "Size of the vehicle", "ar": "حجم المركبة"],
            .choice([
                Detail.Choice("regular", ["en": "Regular, up to four seats", "ar": "عادية، حتى أربعة مقاعد"]),
                Detail.Choice("xl", ["en": "XL, up to six seats", "ar": "كبيرة، حتى ستة مقاعد"]),
            ]), titles: driver),
    ]
    private static let restaurantDetails = [
        Detail(
            "businessNumber", ["en": "Business number", "ar": "رقم السجل التجاري"], .text(maximum: 40),
            titles: restaurant),
        Detail(
            "contactPerson", ["en": "Contact person", "ar": "الشخص المسؤول"], .person,
            titles: restaurant),
        Detail(
            "contactMobile", ["en": "Mobile of the contact person", "ar": "جوال الشخص المسؤول"], .mobile,
            titles: restaurant),
        // Asked for since restaurants have a contact person; those of before give it with their next change of details.
        Detail(
            "contactEmail", ["en": "E-mail of the contact person", "ar": "البريد الإلكتروني للشخص المسؤول"], .email,
            titles: restaurant),
        Detail(
            "businessAddress", ["en": "Address of the business", "ar": "عنوان النشاط التجاري"], .text(maximum: 300),
            titles: restaurant),
    ]
    private static let driverPapers = [
        Paper("licence", ["en": "Driving licence", "ar": "رخصة القيادة"], titles: driver, expires: true),
        Paper("police-clearance", ["en": "Police clearance", "ar": "شهادة خلو سوابق"], titles: driver, expires: true),
        Paper(
            "vehicle-registration", ["en": "Vehicle registration", "ar": "رخصة سير المركبة"], titles: driver,
            expires: true),
        Paper("vehicle-insurance", ["en": "Vehicle insurance", "ar": "تأمين المركبة"], titles: driver, expires: true),
    ]
    private static let restaurantPapers = [
        Paper("business-registration", ["en": "Business registration", "ar": "السجل التجاري"], titles: restaurant),
        Paper(
            "health-certificate", ["en": "Health and safety certificate", "ar": "شهادة الصحة والسلامة"],
            titles: restaurant, expires: true),
        Paper("food-licence", ["en": "Food licence", "ar": "ترخيص الأغذية"], titles: restaurant, expires: true),
        Paper("menu", ["en": "Menu", "ar": "قائمة الطعام"], titles: restaurant, isRequired: false),
    ]
}
