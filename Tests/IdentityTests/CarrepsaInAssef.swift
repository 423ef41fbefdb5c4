import Contracts

extension Market.Onboarding {
    /// What Carrepsa asks, in the market assef and under its terms, which a ``Person`` of assef accepts.
    static let carrepsaInAssef: Market.Onboarding = {
        var onboarding = Market.Onboarding.carrepsa
        onboarding.terms = Market.assef.onboarding.terms
        return onboarding
    }()
}
