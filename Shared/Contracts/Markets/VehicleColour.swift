/// The colours by which drivers describe their cars.
public enum VehicleColour: String, Sendable, CaseIterable {
    case white, black, silver, grey, blue, red, green, yellow, orange, brown, beige, purple

    public var name: LocalizedText {
        switch self {
        case .white: ["en": "White", "ar": "أبيض"]
        case .black: ["en": "Black", "ar": "أسود"]
        case .silver: ["en": "Silver", "ar": "فضي"]
        case .grey: ["en": "Grey", "ar": "رمادي"]
        case .blue: ["en": "Blue", "ar": "أزرق"]
        case .red: ["en": "Red", "ar": "أحمر"]
        case .green: ["en": "Green", "ar": "أخضر"]
        case .yellow: ["en": "Yellow", "ar": "أصفر"]
        case .orange: ["en": "Orange", "ar": "برتقالي"]
        case .brown: ["en": "Brown", "ar": "بني"]
        case .beige: ["en": "Beige", "ar": "بيج"]
        case .purple: ["en": "Purple", "ar": "بنفسجي"]
        }
    }
}
