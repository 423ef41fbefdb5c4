extension Market {
    /// Rides, food and bikes in Perth.
    public static let btnc = Market(
        id: "btnc",
        name: ["en": "BTNC", "ar": "بي تي إن سي"],
        signIn: [.password],
        onboarding: .btnc,
        kinds: [
            OrderKind(
                .ride, .auto, paying: .first, name: ["en": "Ride", "ar": "مشوار"], titles: ["driver"]),
            OrderKind(
                .food, .auto, paying: .first, name: ["en": "Food", "ar": "طعام"], titles: ["driver"],
                labels: btncFoodLabels),
            OrderKind(
                .bikeDropOff, .auto, paying: .first, name: ["en": "Bike to your door", "ar": "دراجة إلى بابك"],
                titles: ["driver"], labels: btncDropOffLabels, contactReasons: ["not-received"]),
            OrderKind(
                .bikePickUp, .direct, paying: .first, name: ["en": "Bike from a rack", "ar": "دراجة من الموقف"],
                labels: [
                    .accepted: .same("Ready at the rack", "جاهزة في الموقف"),
                    .inProgress: .same("On hire", "قيد الاستئجار"),
                    .completed: .same("Brought back", "أُعيدت"),
                ]),
        ],
        titles: [
            Title(id: "driver", name: ["en": "Driver", "ar": "سائق"]),
            Title(id: "restaurant", name: ["en": "Restaurant", "ar": "مطعم"]),
        ],
        serviceTypes: [],
        labels: [
            .pending: .same("Waiting for payment", "بانتظار الدفع"),
            .requested: .same("Looking for a driver", "جارٍ البحث عن سائق"),
            .offered: StateLabel(
                customer: ["en": "Looking for a driver", "ar": "جارٍ البحث عن سائق"],
                provider: ["en": "Offered to you", "ar": "معروض عليك"]),
            .accepted: StateLabel(
                customer: ["en": "Driver found", "ar": "تم العثور على سائق"],
                provider: ["en": "Accepted", "ar": "مقبول"]),
            .preparing: .same("Being prepared", "قيد التحضير"),
            .enRoute: .same("On the way", "في الطريق"),
            .arrived: .same("Arrived", "وصل"),
            .inProgress: .same("Under way", "جارٍ"),
            .completed: .same("Completed", "مكتمل"),
            .cancelled: .same("Cancelled", "ملغى"),
            .refused: .same("Refused", "مرفوض"),
            // The reason says why: no provider, no payment, or no show.
            .expired: .same("Expired", "انتهت المهلة"),
            .disputed: .same("Under review", "قيد المراجعة"),
        ],
        defaults: btncDefaults,
        reportReasons: btncReportReasons,
        requiresPaymentMethod: true)

    /// Labels for meals, which differ from those for rides.
    private static let btncFoodLabels: [OrderSnapshot.State: StateLabel] = [
        .requested: StateLabel(
            customer: ["en": "Waiting for the restaurant", "ar": "بانتظار المطعم"],
            provider: ["en": "Waiting for the restaurant", "ar": "بانتظار المطعم"],
            merchant: ["en": "New order", "ar": "طلب جديد"]),
        .offered: StateLabel(
            customer: ["en": "Being prepared", "ar": "قيد التحضير"],
            provider: ["en": "Offered to you", "ar": "معروض عليك"],
            merchant: ["en": "Looking for a driver", "ar": "جارٍ البحث عن سائق"]),
        .accepted: StateLabel(
            customer: ["en": "Being prepared, driver found", "ar": "قيد التحضير وتم العثور على سائق"],
            provider: ["en": "Go to the restaurant", "ar": "توجّه إلى المطعم"],
            merchant: ["en": "Driver is coming", "ar": "السائق في الطريق إليك"]),
        .arrived: StateLabel(
            customer: ["en": "Driver at the restaurant", "ar": "السائق في المطعم"],
            provider: ["en": "At the restaurant", "ar": "في المطعم"],
            merchant: ["en": "Driver is here", "ar": "السائق وصل"]),
        .inProgress: StateLabel(
            customer: ["en": "On the way to you", "ar": "في الطريق إليك"],
            provider: ["en": "Go to the customer", "ar": "توجّه إلى العميل"],
            merchant: ["en": "Handed over", "ar": "تم التسليم للسائق"]),
    ]

    /// Labels for bikes that a driver delivers.
    private static let btncDropOffLabels: [OrderSnapshot.State: StateLabel] = [
        .accepted: StateLabel(
            customer: ["en": "Driver found", "ar": "تم العثور على سائق"],
            provider: ["en": "Go to the rack", "ar": "توجّه إلى الموقف"]),
        .arrived: StateLabel(
            customer: ["en": "Driver at the rack", "ar": "السائق عند الموقف"],
            provider: ["en": "At the rack", "ar": "عند الموقف"]),
        .inProgress: StateLabel(
            customer: ["en": "On the way to you", "ar": "في الطريق إليك"],
            provider: ["en": "Bring it to the customer", "ar": "أوصلها إلى العميل"]),
        .completed: .same("Delivered", "تم التسليم"),
    ]

    private static let btncDefaults: MarketSettings = {
        var settings = MarketSettings(
            currency: "AUD", timeZone: "Australia/Perth", languages: ["en", "ar"],
            acceptWindowSeconds: 120, paymentWindowSeconds: 300, arrivalWindowSeconds: 3_600,
            completionWindowSeconds: 14_400, confirmationWindowSeconds: 86_400, commissionBasisPoints: 2_000,
            finePerKilometre: 100, searchRadiusMetres: 10_000, speedMetresPerMinute: 600, nearbyMetres: 300,
            paymentMethods: ["card", "applePay", "googlePay", "payPal", "wallet"], openingHours: nil,
            // From Yanchep to Mandurah, between the sea and the hills.
            serviceArea: [
                Coordinate(latitude: -31.480, longitude: 115.550), Coordinate(latitude: -31.480, longitude: 115.800),
                Coordinate(latitude: -31.700, longitude: 116.060), Coordinate(latitude: -31.900, longitude: 116.200),
                Coordinate(latitude: -32.150, longitude: 116.150), Coordinate(latitude: -32.400, longitude: 116.050),
                Coordinate(latitude: -32.620, longitude: 115.900), Coordinate(latitude: -32.620, longitude: 115.600),
                Coordinate(latitude: -32.250, longitude: 115.650), Coordinate(latitude: -31.950, longitude: 115.700),
            ])
        settings.searchWindowSeconds = 300
        settings.offerWindowSeconds = 20
        settings.noShowWaitSeconds = 300
        // Five dollars, in addition to the driver's way.
        settings.cancellationFee = 500
        // In cents.
        settings.tariffs = [
            "regular": MarketSettings.Tariff(
                base: 250, perKilometre: 115, perMinute: 32, minimum: 650),
            "xl": MarketSettings.Tariff(
                base: 350, perKilometre: 175, perMinute: 48, minimum: 950),
            "food": MarketSettings.Tariff(base: 300, perKilometre: 70, perMinute: 15, minimum: 400),
            "bike": MarketSettings.Tariff(base: 100, perKilometre: 0, perMinute: 15, minimum: 300),
            // Includes the use of the bike, whose price is the next one's base and the platform's.
            "dropOff": MarketSettings.Tariff(base: 1_900, perKilometre: 115, perMinute: 32, minimum: 2_500),
            "bikeUse": MarketSettings.Tariff(base: 900, perKilometre: 0, perMinute: 0, minimum: 0),
        ]
        settings.surge = MarketSettings.SurgeRule(capPercent: 250)
        return settings
    }()

    private static let btncReportReasons: [ReportReason] = [
        ReportReason(
            id: "driver-behaviour", text: ["en": "Did not behave properly", "ar": "تصرف غير لائق من السائق"],
            parties: [.customer]),
        ReportReason(id: "unsafe", text: ["en": "I do not feel safe", "ar": "لا أشعر بالأمان"]),
        ReportReason(
            id: "wrong-way", text: ["en": "Went a wrong way", "ar": "سلك طريقًا خاطئًا"], parties: [.customer]),
        ReportReason(
            id: "not-received", text: ["en": "It did not come", "ar": "لم يصل الطلب"], parties: [.customer]),
        ReportReason(
            id: "not-as-ordered", text: ["en": "Not what was ordered", "ar": "ليس كما طُلب"], parties: [.customer]),
        ReportReason(
            id: "courier-behaviour",
            text: ["en": "The driver did not behave properly", "ar": "تصرف غير لائق من السائق"],
            parties: [.merchant]),
        ReportReason(
            id: "cannot-prepare", text: ["en": "It cannot be prepared", "ar": "يتعذر تحضير الطلب"], parties: [.merchant]
        ),
        ReportReason(
            id: "nobody-there", text: ["en": "Nobody was there", "ar": "لم يكن أحد هناك"],
            parties: [.provider, .merchant]),
        ReportReason(
            id: "nobody-found", text: ["en": "No driver was found", "ar": "لم يُعثر على سائق"], parties: []),
        ReportReason(
            id: "given-up", text: ["en": "The driver could not come", "ar": "تعذر على السائق الحضور"], parties: []),
        ReportReason(
            // For a meal by its driver; for a bike by its driver or its customer.
            id: "not-picked-up",
            text: ["en": "It was not picked up in time", "ar": "لم يُستلم الطلب في الوقت المحدد"],
            parties: []),
        ReportReason(
            id: "customer-behaviour", text: ["en": "Did not behave properly", "ar": "تصرف غير لائق من العميل"],
            parties: [.provider]),
        ReportReason(
            id: "not-ended-early",
            text: ["en": "The ride did not end where the rider said", "ar": "لم ينتهِ المشوار حيث قال الراكب"],
            parties: [.provider]),
        ReportReason(
            id: "wrong-place", text: ["en": "The place is wrong", "ar": "الموقع غير صحيح"], parties: [.provider]),
        ReportReason(
            id: "declined", text: ["en": "The driver asked cannot come", "ar": "اعتذر السائق المعروض عليه"], parties: []
        ),
        ReportReason(
            id: "bike-broken", text: ["en": "The bike is broken", "ar": "الدراجة معطلة"], parties: []),
        ReportReason(
            id: "payment-lost", text: ["en": "The payment was lost", "ar": "فُقدت الدفعة"], parties: []),
        ReportReason(
            id: "not-finished", text: ["en": "Nobody said that it is finished", "ar": "لم يُؤكَّد الانتهاء"],
            parties: []),
        ReportReason(
            id: ReportReason.other.id, text: ReportReason.other.text, parties: [.customer, .provider, .merchant]),
    ]
}
