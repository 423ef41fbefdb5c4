extension Market {
    /// Home medical visits in Riyadh.
    public static let assef = Market(
        id: "assef",
        name: ["en": "Assef", "ar": "أسعف"],
        signIn: [.nafath],
        onboarding: .assef,
        kinds: [
            OrderKind(.visit, .direct, paying: .afterAcceptance, name: ["en": "Home visit", "ar": "زيارة منزلية"])
        ],
        titles: [
            Title(
                id: "nurse", name: ["en": "Nurse", "ar": "ممرض"], feminine: ["en": "Nurse", "ar": "ممرضة"],
                spoken: ["en": "nurse", "ar": "الممرض"], spokenFeminine: ["en": "nurse", "ar": "الممرضة"],
                jobTitles: [
                    "Registered Nurse", "Nursing Specialist", "Nursing Technician", "ممرضة", "أخصائي تمريض",
                    "أخصائية تمريض",
                    "فني تمريض", "فنية تمريض",
                ]),
            Title(
                id: "physiotherapist", name: ["en": "Physiotherapist", "ar": "أخصائي علاج طبيعي"],
                feminine: ["en": "Physiotherapist", "ar": "أخصائية علاج طبيعي"],
                spoken: ["en": "physiotherapist", "ar": "أخصائي العلاج الطبيعي"],
                spokenFeminine: ["en": "physiotherapist", "ar": "أخصائية العلاج الطبيعي"],
                jobTitles: [
                    "Physical Therapist", "Physiotherapy Specialist", "أخصائية علاج طبيعي", "معالج طبيعي",
                    "معالجة طبيعية",
                ]),
            Title(
                id: "doctor", name: ["en": "Doctor", "ar": "طبيب"], feminine: ["en": "Doctor", "ar": "طبيبة"],
                spoken: ["en": "doctor", "ar": "الطبيب"], spokenFeminine: ["en": "doctor", "ar": "الطبيبة"],
                jobTitles: ["Physician", "General Practitioner", "Medical Doctor", "طبيبة", "طبيب عام", "طبيبة عامة"]),
            Title(
                id: "specialist", name: ["en": "Specialist", "ar": "أخصائي"],
                feminine: ["en": "Specialist", "ar": "أخصائية"], spoken: ["en": "specialist", "ar": "الأخصائي"],
                spokenFeminine: ["en": "specialist", "ar": "الأخصائية"],
                isAmbiguous: true),
        ],
        serviceTypes: [nursing, physiotherapy],
        labels: [
            .pending: .same("Waiting for payment", "بانتظار الدفع"),
            .requested: .same("Waiting", "بالانتظار"),
            .accepted: StateLabel(
                customer: ["en": "Accepted", "ar": "مقبول"], provider: ["en": "Waiting", "ar": "بالانتظار"]),
            .enRoute: .same("On the way", "في الطريق"),
            .arrived: StateLabel(
                customer: ["en": "With {title}", "ar": "مع {title}"],
                provider: ["en": "With customer", "ar": "مع العميل"]),
            .completed: .same("Completed", "مكتمل"),
            .cancelled: .same("Cancelled", "ملغى"),
            .refused: .same("Declined", "مرفوض"),
            .expired: .same("Expired", "انتهت المهلة"),
            // To its parties a reported visit is over; the review beside it says what becomes of the money.
            .disputed: .same("Cancelled", "ملغى"),
        ],
        defaults: assefDefaults,
        reportReasons: assefReportReasons)

    private static let assefDefaults: MarketSettings = {
        var settings = MarketSettings(
            currency: "SAR", timeZone: "Asia/Riyadh", languages: ["ar", "en"],
            acceptWindowSeconds: 120, paymentWindowSeconds: 600, arrivalWindowSeconds: 7_200,
            completionWindowSeconds: 86_400, confirmationWindowSeconds: 86_400, commissionBasisPoints: 1_500,
            finePerKilometre: 50,
            searchRadiusMetres: 50_000, speedMetresPerMinute: 500, nearbyMetres: 500,
            paymentMethods: ["card", "applePay", "wallet", "cash"], openingHours: nil,
            serviceArea: [
                Coordinate(latitude: 24.30, longitude: 46.30), Coordinate(latitude: 25.15, longitude: 46.30),
                Coordinate(latitude: 25.15, longitude: 47.15), Coordinate(latitude: 24.30, longitude: 47.15),
            ])
        // Providers pay a subscription before they are shown to anybody; the admins make its plans.
        settings.subscriptionRequired = true
        return settings
    }()

    private static let nursing = ServiceType(
        id: "nursing",
        name: ["en": "Nursing", "ar": "التمريض"],
        brief: ["en": "Nursing care at home.", "ar": "رعاية تمريضية في المنزل."],
        image: "nursing.svg",
        services: [
            Service(
                id: "wound-care",
                name: ["en": "Wound care", "ar": "العناية بالجروح"],
                brief: ["en": "Cleaning and dressing of a wound.", "ar": "تنظيف الجرح وتضميده."],
                image: "wound-care.svg",
                instructions: ["en": "Keep the wound dry until the visit.", "ar": "أبقِ الجرح جافًا حتى الزيارة."],
                requirements: ["en": "A clean, well lit place to sit.", "ar": "مكان نظيف وجيد الإضاءة للجلوس."],
                titles: ["nurse"]),
            Service(
                id: "injection",
                name: ["en": "Injection", "ar": "الحقن"],
                brief: ["en": "An injection that a doctor prescribed.", "ar": "حقنة بوصفة طبيب."],
                image: "injection.svg",
                instructions: ["en": "Have the prescription at hand.", "ar": "جهّز الوصفة الطبية."],
                requirements: ["en": "The medicine, unopened.", "ar": "الدواء غير مفتوح."],
                titles: ["nurse"]),
            Service(
                id: "vital-signs",
                name: ["en": "Vital signs", "ar": "العلامات الحيوية"],
                brief: [
                    "en": "Blood pressure, pulse, temperature and sugar.",
                    "ar": "قياس الضغط والنبض والحرارة والسكر.",
                ],
                image: "vital-signs.svg",
                instructions: ["en": "Rest for ten minutes before.", "ar": "استرح عشر دقائق قبل الزيارة."],
                requirements: ["en": "None.", "ar": "لا يوجد."],
                titles: ["nurse"]),
        ])

    private static let physiotherapy = ServiceType(
        id: "physiotherapy",
        name: ["en": "Physiotherapy", "ar": "العلاج الطبيعي"],
        brief: ["en": "Exercises and treatment at home.", "ar": "تمارين وعلاج في المنزل."],
        image: "physiotherapy.svg",
        services: [
            Service(
                id: "physiotherapy-session",
                name: ["en": "Physiotherapy session", "ar": "جلسة علاج طبيعي"],
                brief: ["en": "One session of 45 minutes.", "ar": "جلسة واحدة مدتها ٤٥ دقيقة."],
                image: "physiotherapy-session.svg",
                instructions: ["en": "Wear loose clothes.", "ar": "ارتدِ ملابس مريحة."],
                requirements: ["en": "Two metres of free floor.", "ar": "مساحة فارغة بطول مترين."],
                titles: [])
        ])
}
