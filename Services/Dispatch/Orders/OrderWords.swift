import Contracts

// The words beside the slugs that the views answer with (P7).

extension Market {
    /// The class of a vehicle or of a tariff; nil for one without a name.
    static func words(forSize id: String) -> LocalizedText? {
        switch id {
        case Order.Ride.Size.regular.rawValue: ["en": "Regular, up to four seats", "ar": "عادية، حتى أربعة مقاعد"]
        case Order.Ride.Size.xl.rawValue: ["en": "XL, up to six seats", "ar": "كبيرة، حتى ستة مقاعد"]
        case "food": ["en": "Delivery of a meal", "ar": "توصيل وجبة"]
        case OrderDropOff.tariff: ["en": "Delivery of a bike", "ar": "توصيل دراجة"]
        case OrderHire.tariff: ["en": "Hire of a bike", "ar": "استئجار دراجة"]
        default: nil
        }
    }

    /// The market's name of a kind of orders; nil for one that it does not have.
    func name(ofKind id: String, in language: String) -> String? { kind(id)?.name.text(in: language) }

    /// The customers' word for a state of an order of a series.
    func label(ofSeriesOrder state: String, in language: String) -> String? {
        let kind = kinds.first { [.homeCare, .parcel].contains($0.workflow) }?.id
        return OrderSnapshot.State(rawValue: state).map { label(of: $0, for: .customer, in: language, kind: kind) }
    }
}

extension BikeType {
    var name: LocalizedText {
        switch self {
        case .city: ["en": "City bike", "ar": "دراجة مدينة"]
        case .electric: ["en": "Electric bike", "ar": "دراجة كهربائية"]
        case .cargo: ["en": "Cargo bike", "ar": "دراجة شحن"]
        }
    }

    /// The names of all types, by type.
    static func names(in language: String) -> [String: String] {
        Dictionary(allCases.map { ($0.rawValue, $0.name.text(in: language)) }) { first, _ in first }
    }
}

extension BikeCondition {
    var name: LocalizedText {
        switch self {
        case .good: ["en": "Good", "ar": "سليمة"]
        case .broken: ["en": "Broken", "ar": "معطّلة"]
        case .lost: ["en": "Lost", "ar": "مفقودة"]
        }
    }
}

extension Order.Deposit.State {
    /// Where the deposit is.
    var name: LocalizedText {
        switch self {
        case .open: ["en": "Left by whoever takes it", "ar": "يودعه من يتولى الطلب"]
        case .awaited: ["en": "Being locked", "ar": "قيد الحجز"]
        case .locked: ["en": "Locked until the end", "ar": "محجوز حتى النهاية"]
        case .returned: ["en": "Given back", "ar": "أُعيد إلى صاحبه"]
        case .forfeited: ["en": "Paid to the customer", "ar": "دُفع إلى العميل"]
        }
    }
}

extension Order.Ending.Payee {
    /// The receiver of the price, in words.
    var name: LocalizedText {
        switch self {
        case .provider: ["en": "To the person who did the work", "ar": "إلى من نفّذ الطلب"]
        case .merchant: ["en": "To the seller", "ar": "إلى البائع"]
        case .customer: ["en": "Back to the customer", "ar": "أُعيد إلى العميل"]
        case .both: ["en": "A part to each", "ar": "لكل طرف جزء"]
        case .platform: ["en": "To the platform", "ar": "إلى المنصة"]
        case .nobody: ["en": "Nothing was paid", "ar": "لم يُدفع شيء"]
        }
    }
}

extension Series.State {
    var name: LocalizedText {
        switch self {
        case .active: ["en": "Active", "ar": "نشط"]
        case .ended: ["en": "Ended", "ar": "منتهٍ"]
        }
    }
}

extension SeriesVisit.State {
    var name: LocalizedText {
        switch self {
        case .planned: ["en": "Planned", "ar": "مجدول"]
        case .requested: ["en": "Ordered", "ar": "تم الطلب"]
        case .skipped: ["en": "Skipped", "ar": "تم تخطيه"]
        case .refused: ["en": "Not ordered", "ar": "لم يُطلب"]
        case .missed: ["en": "Missed", "ar": "فات موعده"]
        }
    }
}
