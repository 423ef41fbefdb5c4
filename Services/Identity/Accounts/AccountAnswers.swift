import Contracts
import Foundation
import Messaging

/// A role as its owner sees it.
struct RoleView: Encodable, Sendable {
    let market: String
    let role: String
    let title: String?
    let verified: Bool
    /// For providers: `waiting`, `verified` or `rejected`.
    let state: String?
    /// Why a provider was rejected.
    let reason: String?

    init(_ role: Role) {
        market = role.market
        self.role = role.kind.rawValue
        title = role.title
        verified = role.isVerified
        state = role.kind == .provider ? role.state.rawValue : nil
        reason = role.reason
    }
}

struct AccountAnswer: Encodable, Sendable {
    let account: String
    let roles: [RoleView]
    /// What has to be confirmed before the first login: `email`, `sms`.
    let confirmation: String?
    /// For the code of the SMS: with it nobody else can spend the tries.
    let secret: String?

    init(_ account: Account, confirmation: Market.Confirmation = .none, secret: String? = nil) {
        self.secret = secret
        self.account = account.id.text
        self.confirmation = confirmation == .none ? nil : confirmation.rawValue
        roles = account.roles.map(RoleView.init)
    }
}

struct SessionAnswer: Encodable, Sendable {
    let account: String
    let accessToken: String
    /// Seconds.
    let expiresIn: Int
    let refreshToken: String
    let roles: [RoleView]
    /// What the owner should be asked to do: `change-password` after a year, `second-factor` of an
    /// admin whose rights need one, `mobile` where the account's number is somebody else's now.
    let asks: [String]?

    init(_ grant: SessionGrant) {
        account = grant.account.id.text
        accessToken = grant.accessToken
        expiresIn = grant.expiresInSeconds
        refreshToken = grant.refreshToken
        roles = grant.account.roles.map(RoleView.init)
        let asks =
            (grant.passwordIsOld ? ["change-password"] : []) + (grant.needsSecondFactor ? ["second-factor"] : [])
            + (grant.needsMobile ? ["mobile"] : [])
        self.asks = asks.isEmpty ? nil : asks
    }
}

/// A provider as an admin of the market sees one.
struct ProviderAnswer: Encodable, Sendable {
    let account: String
    let version: Int
    let name: String
    let gender: String?
    let title: String?
    let state: String
    let reason: String?
    let requestedAt: Date
    let decidedAt: Date?

    init(_ row: ProviderRow) {
        account = row.account.text
        version = row.version
        name = row.name
        gender = row.gender
        title = row.title
        state = row.state
        reason = row.reason
        requestedAt = row.requestedAt
        decidedAt = row.decidedAt
    }
}
