extension Market {
    /// Parcels that citizens carry for each other in Gothenburg.
    public static let carrepsa = Market(
        id: "carrepsa",
        name: ["en": "Carrepsa", "ar": "كاريبسا"],
        signIn: [.password],
        onboarding: .carrepsa,
        kinds: [
            OrderKind(.parcel, .board, paying: .first, name: ["en": "Parcel", "ar": "طرد"], opensContact: true)
        ],
        titles: [Title(id: "carrier", name: ["en": "Carrier", "ar": "ناقل"])],
        serviceTypes: [],
        labels: [
            .pending: .same("Waiting for payment", "بانتظار الدفع"),
            .requested: .same("Not accepted", "لم يُقبل بعد"),
            .accepted: .same("Accepted", "مقبول"),
            .arrived: StateLabel(
                customer: ["en": "Was it picked up?", "ar": "هل استُلم الطرد؟"],
                provider: ["en": "Waiting for the owner's word", "ar": "بانتظار تأكيد صاحب الطرد"]),
            .inProgress: .same("Travelling", "في الطريق"),
            .completed: .same("Delivered", "تم التسليم"),
            .cancelled: .same("Cancelled", "ملغى"),
            .refused: .same("Refused", "مرفوض"),
            .expired: .same("Expired", "انتهت المهلة"),
            .disputed: .same("Under review", "قيد المراجعة"),
        ],
        defaults: carrepsaDefaults,
        reportReasons: carrepsaReportReasons)

    private static let carrepsaDefaults: MarketSettings = {
        var settings = MarketSettings(
            currency: "SEK", timeZone: "Europe/Stockholm", languages: ["en", "ar"],
            acceptWindowSeconds: 3_600, paymentWindowSeconds: 900, arrivalWindowSeconds: 86_400,
            completionWindowSeconds: 172_800, confirmationWindowSeconds: 86_400, commissionBasisPoints: 0,
            finePerKilometre: 0, searchRadiusMetres: 10_000, speedMetresPerMinute: 400, nearbyMetres: 300,
            paymentMethods: ["wallet", "card"], openingHours: nil,
            // The city with its archipelago, Mölndal and Partille.
            serviceArea: [
                Coordinate(latitude: 57.560, longitude: 11.600), Coordinate(latitude: 57.760, longitude: 11.550),
                Coordinate(latitude: 57.870, longitude: 11.800), Coordinate(latitude: 57.870, longitude: 12.080),
                Coordinate(latitude: 57.800, longitude: 12.220), Coordinate(latitude: 57.700, longitude: 12.300),
                Coordinate(latitude: 57.580, longitude: 12.160), Coordinate(latitude: 57.540, longitude: 11.900),
            ])
        settings.searchWindowSeconds = 604_800
        settings.parcelRates = MarketSettings.ParcelRates(
            minimumRatingFee: 1_500, base: 2_000, perKilometre: 400, perKilogram: 200)
        settings.latePay = MarketSettings.LatePay(lowestPercent: 50, fallHours: 24, roundingHours: 6)
        return settings
    }()

    private static let carrepsaReportReasons: [ReportReason] = [
        ReportReason(
            id: "not-delivered", text: ["en": "The parcel did not come", "ar": "لم يصل الطرد"], parties: [.customer]),
        ReportReason(
            id: "damaged", text: ["en": "The parcel was damaged", "ar": "وصل الطرد تالفًا"], parties: [.customer]),
        ReportReason(
            id: "not-as-described",
            text: ["en": "The parcel is not what was described", "ar": "الطرد ليس كما وُصف"], parties: [.provider]),
        ReportReason(
            id: "owner-unreachable",
            text: ["en": "The owner cannot be reached", "ar": "يتعذر الوصول إلى صاحب الطرد"], parties: [.provider]),
        ReportReason(
            id: "nobody-receives",
            text: ["en": "Nobody takes the parcel at its destination", "ar": "لا يوجد من يستلم الطرد"],
            parties: [.provider]),
        ReportReason(id: "unsafe", text: ["en": "I do not feel safe", "ar": "لا أشعر بالأمان"]),
        ReportReason(
            id: "pickup-unconfirmed",
            text: ["en": "The owner did not say whether it was picked up", "ar": "لم يؤكد صاحب الطرد استلامه"],
            parties: []),
        ReportReason(
            id: "payment-lost", text: ["en": "The payment was lost", "ar": "فُقدت الدفعة"], parties: []),
        .other,
    ]
}
