import Contracts
import Foundation
import LiveMarkets
import Messaging

/// An account as shown to its owner. Other people see e-mail and mobile only where the market opens them (P8).
struct ProfileView: Encodable, Sendable {
    struct Notices: Encodable, Sendable {
        let mail: Bool
        let sms: Bool
        let push: Bool
    }

    struct Active: Encodable, Sendable {
        let market: String
        let role: String
        /// Of a provider with two titles in the market, the one in use.
        let title: String?
    }

    let account: String
    let name: String
    /// Nil for a person who signs in with Nafath and has given no address.
    let email: String?
    /// Nil when another account has proved the number.
    let mobile: String?
    /// Whether the owner has proved to read this address.
    let emailProved: Bool
    let mobileProved: Bool
    /// The new address that waits for confirmation.
    let newEmail: String?
    let newMobile: String?
    let gender: String?
    let birthDate: String?
    let language: String
    let notices: Notices
    /// The path of the picture, or of a market's logo.
    let avatar: String?
    let roles: [RoleView]
    /// The role that the owner used last.
    let active: Active?
    let registeredAt: Date
    /// The accepted terms, oldest first.
    let terms: [AcceptedTerms]
    /// The terms that have another version by now; nil when there are none.
    let termsAsked: [AskedTerms]?
    /// The name of the accompanying adult, by market.
    let accompaniedBy: [String: String]?

    init(
        _ profile: Profile, _ markets: LiveMarkets,
        _ onboarding: (_ market: String) -> Market.Onboarding = IdentityParts.onboarding
    ) {
        account = profile.account.id.text
        name = profile.account.name.text
        email = profile.email
        mobile = profile.mobile
        emailProved = profile.emailIsProved
        mobileProved = profile.mobileIsProved
        newEmail = profile.newEmail
        newMobile = profile.newMobile
        gender = profile.account.gender?.rawValue
        birthDate = profile.birthDate?.text
        language = profile.account.language.rawValue
        let choices = profile.account.choices
        notices = Notices(mail: choices.mail, sms: choices.sms, push: choices.push)
        let active = profile.active ?? profile.account.roles.first
        let market = active.flatMap { $0.market == Role.everyMarket ? nil : $0.market }
        avatar = AvatarView.path(profile.account.avatar, in: market)
        roles = profile.account.roles.map { RoleView($0, markets) }
        self.active = profile.active.map { role in
            let hasTwo = profile.account.providers(in: role.market).count > 1
            return Active(
                market: role.market, role: role.kind.rawValue,
                title: hasTwo && role.kind == .provider ? role.title : nil)
        }
        registeredAt = profile.registeredAt
        terms = profile.terms
        let asked = AskedTerms.of(profile.account, accepted: profile.terms, onboarding)
        termsAsked = asked.isEmpty ? nil : asked
        accompaniedBy = profile.adults.isEmpty ? nil : profile.adults
    }
}
