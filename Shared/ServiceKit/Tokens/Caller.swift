public import Foundation

/// The caller of a request, by the access token. Nothing is looked up here; a token is valid for minutes only, and
/// refused when its session has ended.
public struct Caller: Sendable, Equatable {
    public let accountID: UUID
    /// The session of the token. Nil for machine tokens.
    public let sessionID: UUID?
    public let roles: Set<MarketRole>
    public let expires: Date
    /// The account's language, if the token has one.
    public let language: Language?
    /// The markets in which the account was a verified provider when the token was issued.
    public let verifiedMarkets: Set<String>
    /// The scopes of an API key (``KeyScope``); nil for a person.
    public let scopes: Set<String>?

    public init(
        accountID: UUID, sessionID: UUID?, roles: Set<MarketRole>, expires: Date, language: Language? = nil,
        verifiedMarkets: Set<String> = [], scopes: Set<String>? = nil
    ) {
        self.accountID = accountID
        self.sessionID = sessionID
        self.roles = roles
        self.expires = expires
        self.language = language
        self.verifiedMarkets = verifiedMarkets
        self.scopes = scopes
    }

    /// The market that an API key is bound to: it is a customer there and nothing else (X9). Nil for a person. Lists that a key
    /// may read show only what is of this market and the customer's; see ``KeyArea``.
    public var keyMarket: String? { scopes.map { _ in roles.count == 1 ? roles.first?.market ?? "" : "" } }

    /// A role in the market `*` is a role in every market.
    public func has(_ role: String, in market: String) -> Bool {
        roles.contains(MarketRole(market: market, role: role)) || roles.contains(MarketRole(market: "*", role: role))
    }

    /// - Throws: a 403 ``Problem`` when the caller does not have the role in the market.
    public func require(_ role: String, in market: String) throws(Problem) {
        guard has(role, in: market) else { throw .forbidden }
    }

    /// - Throws: a 403 ``Problem`` when the caller has none of the roles in the market.
    public func require(anyOf roles: Set<String>, in market: String) throws(Problem) {
        guard roles.contains(where: { has($0, in: market) }) else { throw .forbidden }
    }

    /// Whether the caller is this account.
    public func isAccount(_ id: UUID) -> Bool { accountID == id }
}

/// A role that an account has in one market; the market `*` stands for all.
public struct MarketRole: Sendable, Hashable, Codable {
    public let market: String
    public let role: String

    public init(market: String, role: String) {
        self.market = market
        self.role = role
    }
}
