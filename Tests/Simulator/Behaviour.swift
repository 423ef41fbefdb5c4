/// What a customer is going to do with one order, decided before it begins. Pure.
struct CustomerBehaviour: Equatable {
    enum Course: Equatable {
        case straight
        case cancelsWhileRequested
        case cancelsWhileAccepted
        case letsPaymentExpire
        /// Tries a card that is refused, and pays otherwise afterwards.
        case firstCardRefused
        /// Tries a card that is refused, and gives up.
        case onlyCardRefused
        /// Pays in the last moment of the window, or too late.
        case paysLate
        /// Leaves the confirmation to the window.
        case neverConfirms
    }

    enum Repeats: Equatable { case never, atOnce, later }

    let course: Course
    let method: String
    let repeats: Repeats
    let rates: Bool
    /// How long the customer looks at the screen before acting.
    let thinkMilliseconds: Int

    init(seed: UInt64, order: Int) {
        var generator = SplitMix(seed: seed, "customer", order)
        course =
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<5: .cancelsWhileRequested
            case 5..<10: .cancelsWhileAccepted
            case 10..<13: .letsPaymentExpire
            case 13..<19: .firstCardRefused
            case 19..<21: .onlyCardRefused
            case 21..<24: .neverConfirms
            case 24..<26: .paysLate
            default: .straight
            }
        method =
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<60: "card"
            case 60..<80: "wallet"
            default: "cash"
            }
        repeats =
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<10: .atOnce
            case 10..<20: .later
            default: .never
            }
        rates = generator.chance(50)
        thinkMilliseconds = .random(in: 50...400, using: &generator)
    }
}

/// What a provider is going to do with one request. Pure.
struct ProviderBehaviour: Equatable {
    enum Answer: Equatable {
        case accepts
        case declines
        /// Lets the accept window run out.
        case ignores
    }

    let answer: Answer
    let companion: String?
    let repeats: CustomerBehaviour.Repeats
    /// Accepts, is paid, and does not show up.
    let neverGoes: Bool
    /// Leaves the confirmation to the window.
    let neverConfirms: Bool
    let rates: Bool
    /// With an order already: tries to take this one too, which must not work.
    let isGreedy: Bool
    let thinkMilliseconds: Int

    init(seed: UInt64, provider: Int, request: Int) {
        var generator = SplitMix(seed: seed, "provider \(provider)", request)
        answer =
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<6: .declines
            case 6..<10: .ignores
            default: .accepts
            }
        companion = generator.chance(15) ? "Companion \(provider).\(request)" : nil
        repeats =
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<10: .atOnce
            case 10..<20: .later
            default: .never
            }
        neverGoes = generator.chance(1)
        neverConfirms = generator.chance(3)
        rates = generator.chance(50)
        isGreedy = generator.chance(50)
        thinkMilliseconds = .random(in: 50...400, using: &generator)
    }
}
