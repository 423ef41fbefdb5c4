import Contracts
import Foundation
import LiveMarkets
import Messaging
import ServiceKit

/// A role as shown to the account's owner.
struct RoleView: Encodable, Sendable {
    let market: String
    let role: String
    let title: String?
    /// The title's name in each language.
    let titleNames: LocalizedText?
    let verified: Bool
    /// For providers only: `waiting`, `verified` or `rejected`.
    let state: String?
    /// The admin's reason for rejecting the provider.
    let reason: String?

    init(_ role: Role, _ markets: LiveMarkets) {
        market = role.market
        self.role = role.kind.rawValue
        title = role.title
        titleNames = markets.named(role.market)?.title(role.title)?.name
        verified = role.isVerified
        state = role.kind == .provider ? role.state.rawValue : nil
        reason = role.reason
    }
}

struct AccountView: Encodable, Sendable {
    let account: String
    let roles: [RoleView]
    /// The proof that is required before the first login: `email` or `sms`.
    let confirmation: String?
    /// Sent back with the SMS code. Tries with this secret are counted apart, so other people cannot use them up.
    let secret: String?

    init(
        _ account: Account, _ markets: LiveMarkets, confirmation: Market.Confirmation = .none, secret: String? = nil
    ) {
        self.secret = secret
        self.account = account.id.text
        self.confirmation = confirmation == .none ? nil : confirmation.rawValue
        roles = account.roles.map { RoleView($0, markets) }
    }
}

struct SessionView: Encodable, Sendable {
    let account: String
    let accessToken: String
    /// Lifetime of the access token in seconds.
    let expiresIn: Int
    /// Nil where a cookie holds it.
    let refreshToken: String?
    let roles: [RoleView]
    /// Actions that the app should ask of the owner: `change-password` when the password is older than a year,
    /// `second-factor` for an admin whose rights need one, `mobile` when another account has taken the account's
    /// number, `terms` when a market has other terms than those that the owner accepted; `birth-date`, `address` and
    /// `billing-address` when a market asks everybody for it and the account, which an admin made, lacks it.
    let asks: [String]?
    let termsAsked: [AskedTerms]?

    init(_ grant: SessionGrant, _ markets: LiveMarkets, tellsRefreshToken: Bool = true) {
        account = grant.account.id.text
        accessToken = grant.accessToken
        expiresIn = grant.expiresInSeconds
        refreshToken = tellsRefreshToken ? grant.refreshToken : nil
        roles = grant.account.roles.map { RoleView($0, markets) }
        let asks =
            (grant.passwordIsOld ? ["change-password"] : []) + (grant.needsSecondFactor ? ["second-factor"] : [])
            + (grant.needsMobile ? ["mobile"] : []) + (grant.termsAsked.isEmpty ? [] : ["terms"])
            + grant.dataAsked.map(\.rawValue)
        termsAsked = grant.termsAsked.isEmpty ? nil : grant.termsAsked
        self.asks = asks.isEmpty ? nil : asks
    }
}

/// A provider as shown to an admin of the market.
struct ProviderView: Encodable, Sendable {
    let account: String
    let version: Int
    let name: String
    let gender: String?
    let title: String?
    /// In the reader's language.
    let titleName: String?
    let state: String
    let reason: String?
    let requestedAt: Date
    let decidedAt: Date?

    init(_ row: ProviderRow, of market: Market, in language: ServiceKit.Language) {
        account = row.account.text
        version = row.version
        name = row.name
        gender = row.gender
        title = row.title
        titleName = market.title(row.title)?.name(of: row.gender).text(in: language.rawValue)
        state = row.state
        reason = row.reason
        requestedAt = row.requestedAt
        decidedAt = row.decidedAt
    }
}
