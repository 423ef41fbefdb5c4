extension Market {
    /// Home care in Regina. The market stores no medical data (Q10) and sells nothing that would need any: a nurse is
    /// told at the visit what is needed.
    public static let edencare = Market(
        id: "edencare",
        name: ["en": "Eden Care", "ar": "إيدن كير"],
        signIn: [.password],
        onboarding: .edencare,
        kinds: [
            OrderKind(
                .homeCare, .assigned, paying: .first, name: ["en": "Home care", "ar": "رعاية منزلية"],
                opensContact: true)
        ],
        titles: [Title(id: "care-partner", name: ["en": "Care partner", "ar": "شريك رعاية"])],
        serviceTypes: [careAtHome, household],
        labels: [
            .pending: .same("Waiting for payment", "بانتظار الدفع"),
            .requested: StateLabel(
                customer: ["en": "Waiting for a care partner", "ar": "بانتظار شريك رعاية"],
                provider: ["en": "At the desk", "ar": "لدى الإدارة"]),
            .offered: StateLabel(
                customer: ["en": "Care partner asked", "ar": "بانتظار رد شريك الرعاية"],
                provider: ["en": "To confirm", "ar": "بانتظار تأكيدك"]),
            .accepted: .same("Confirmed", "مؤكد"),
            .inProgress: .same("In progress", "قيد التنفيذ"),
            .completed: .same("Finished", "منتهٍ"),
            .cancelled: .same("Cancelled", "ملغى"),
            .refused: .same("Refused", "مرفوض"),
            .expired: .same("Expired", "انتهت المهلة"),
            .disputed: .same("Under review", "قيد المراجعة"),
        ],
        defaults: edencareDefaults,
        reportReasons: edencareReportReasons,
        freeTextNote: [
            "en": "Please write nothing about illnesses, medicines or treatments: Eden Care keeps no medical data.",
            "ar": "يرجى عدم كتابة أي شيء عن الأمراض أو الأدوية أو العلاجات: لا تحتفظ إيدن كير ببيانات طبية.",
        ])

    private static let edencareDefaults: MarketSettings = {
        var settings = MarketSettings(
            currency: "CAD", timeZone: "America/Regina", languages: ["en", "ar"],
            acceptWindowSeconds: 3_600, paymentWindowSeconds: 900, arrivalWindowSeconds: 7_200,
            completionWindowSeconds: 28_800, confirmationWindowSeconds: 86_400,
            // The fee is Eden Care's: care partners are its employees, and have their wages from it.
            commissionBasisPoints: 10_000,
            finePerKilometre: 0, searchRadiusMetres: 30_000, speedMetresPerMinute: 500, nearbyMetres: 500,
            paymentMethods: ["card", "applePay", "googlePay", "wallet"],
            // The hours of visits; orders are accepted at any hour.
            openingHours: OpeningHours(openMinute: 8 * 60, closeMinute: 20 * 60),
            // The city of Regina.
            serviceArea: [
                Coordinate(latitude: 50.390, longitude: -104.700), Coordinate(latitude: 50.440, longitude: -104.735),
                Coordinate(latitude: 50.500, longitude: -104.720), Coordinate(latitude: 50.525, longitude: -104.650),
                Coordinate(latitude: 50.520, longitude: -104.560), Coordinate(latitude: 50.475, longitude: -104.500),
                Coordinate(latitude: 50.410, longitude: -104.505), Coordinate(latitude: 50.385, longitude: -104.590),
            ])
        settings.assignmentWindowSeconds = 3_600
        // The window of visits at once: nobody who needs help now waits for a day.
        settings.deskWindowSeconds = 7_200
        settings.deskTakesCash = true
        // In cents.
        settings.servicePrices = [
            "companionship": 3_000, "personal-care": 4_200, "housekeeping": 3_600, "meals": 3_400, "errands": 3_200,
            "nursing": 7_500, "foot-care": 6_000, "childcare": 3_000,
        ]
        return settings
    }()

    private static let edencareReportReasons: [ReportReason] = [
        ReportReason(
            id: "provider-late", text: ["en": "Came much too late", "ar": "تأخر كثيرًا عن الموعد"],
            parties: [.customer]),
        ReportReason(
            id: "provider-behaviour", text: ["en": "Did not behave properly", "ar": "تصرف غير لائق"],
            parties: [.customer]),
        ReportReason(
            id: "not-done",
            text: ["en": "The service was not done, or not well", "ar": "لم تُقدَّم الخدمة أو قُدِّمت بشكل سيئ"],
            parties: [.customer]),
        ReportReason(
            id: "customer-behaviour", text: ["en": "Did not behave properly", "ar": "تصرف غير لائق من العميل"],
            parties: [.provider]),
        ReportReason(id: "unsafe", text: ["en": "I do not feel safe", "ar": "لا أشعر بالأمان"]),
        ReportReason(
            id: "not-finished", text: ["en": "Nobody said that it is finished", "ar": "لم يُؤكَّد الانتهاء"],
            parties: []),
        .other,
    ]

    private static let careAtHome = ServiceType(
        id: "care",
        name: ["en": "Care", "ar": "الرعاية"],
        brief: ["en": "Somebody who is there and lends a hand.", "ar": "من يكون إلى جانبك ويساعدك."],
        image: "care.svg",
        services: [
            careService(
                "companionship", ["en": "Companionship", "ar": "المرافقة"],
                ["en": "Company, a talk, a walk.", "ar": "صحبة وحديث ونزهة."], minutes: 60),
            careService(
                "personal-care", ["en": "Personal care", "ar": "العناية الشخصية"],
                ["en": "Help with washing and dressing.", "ar": "المساعدة في الاستحمام وارتداء الملابس."],
                minutes: 60),
            careService(
                "nursing", ["en": "Nursing", "ar": "التمريض"],
                [
                    "en": "A nurse comes to your home. Say at the visit what you need.",
                    "ar": "زيارة ممرض في منزلك. أخبره بما تحتاج إليه أثناء الزيارة.",
                ], minutes: 60),
            careService(
                "foot-care", ["en": "Foot care", "ar": "العناية بالقدمين"],
                ["en": "Care of feet and nails.", "ar": "العناية بالقدمين والأظافر."], minutes: 60),
            careService(
                "childcare", ["en": "Childcare", "ar": "رعاية الأطفال"],
                [
                    "en": "Somebody who looks after your children at home.",
                    "ar": "من يرعى أطفالك في المنزل.",
                ], minutes: 120),
        ])

    private static let household = ServiceType(
        id: "household",
        name: ["en": "Household", "ar": "المنزل"],
        brief: ["en": "What a household needs.", "ar": "ما يحتاجه المنزل."],
        image: "household.svg",
        services: [
            careService(
                "housekeeping", ["en": "Housekeeping", "ar": "التدبير المنزلي"],
                ["en": "Cleaning, laundry, tidying.", "ar": "تنظيف وغسيل وترتيب."], minutes: 90),
            careService(
                "meals", ["en": "Meals", "ar": "الوجبات"],
                ["en": "Cooking a meal in your kitchen.", "ar": "طهي وجبة في مطبخك."], minutes: 60),
            careService(
                "errands", ["en": "Errands", "ar": "المشاوير"],
                ["en": "Shopping and errands, with you or for you.", "ar": "التسوق وقضاء الحاجات معك أو نيابة عنك."],
                minutes: 60),
        ])

    private static func careService(
        _ id: String, _ name: LocalizedText, _ brief: LocalizedText, minutes: Int
    ) -> Service {
        Service(
            id: id, name: name, brief: brief, image: "\(id).svg",
            instructions: ["en": "Be at home at the time.", "ar": "كن في المنزل في الموعد."],
            requirements: ["en": "None.", "ar": "لا يوجد."], titles: ["care-partner"], minutes: minutes)
    }
}
