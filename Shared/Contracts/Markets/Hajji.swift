extension Market {
    /// The pilgrims' market: nothing is ordered or paid here. Its guide is open to everybody; friends and shared places need an
    /// account (H6).
    public static let hajji = Market(
        id: "hajji",
        name: ["en": "Hajji", "ar": "حاجّي"],
        signIn: [.password],
        onboarding: .hajji,
        kinds: [],
        titles: [],
        serviceTypes: [],
        labels: [:],
        defaults: hajjiDefaults)

    private static let hajjiDefaults = MarketSettings(
        currency: "SAR", timeZone: "Asia/Riyadh", languages: ["ar", "en"],
        // No order ever waits here. These are the other Saudi market's, so that a setting reads alike.
        acceptWindowSeconds: 120, paymentWindowSeconds: 600, arrivalWindowSeconds: 7_200,
        completionWindowSeconds: 14_400, confirmationWindowSeconds: 86_400, commissionBasisPoints: 0,
        finePerKilometre: 0, searchRadiusMetres: 10_000,
        // On foot, where no routing service is at hand.
        speedMetresPerMinute: 80, nearbyMetres: 300,
        paymentMethods: ["card"], openingHours: nil,
        // From Makkah and the places of the Hajj to Jeddah and Madinah.
        serviceArea: [
            Coordinate(latitude: 20.900, longitude: 38.800), Coordinate(latitude: 20.900, longitude: 40.700),
            Coordinate(latitude: 22.000, longitude: 40.800), Coordinate(latitude: 25.000, longitude: 40.300),
            Coordinate(latitude: 25.000, longitude: 39.000), Coordinate(latitude: 22.500, longitude: 38.600),
        ])
}
