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
    /// The markets whose present terms the account has not accepted; it has no role there but an admin's.
    public let askedTerms: Set<String>
    /// Whether the request only reads: a person of a market's support may read what its admins do, and act as none.
    public internal(set) var isReading: Bool

    public init(
        accountID: UUID, sessionID: UUID?, roles: Set<MarketRole>, expires: Date, language: Language? = nil,
        verifiedMarkets: Set<String> = [], scopes: Set<String>? = nil, askedTerms: Set<String> = [],
        isReading: Bool = false
    ) {
        self.accountID = accountID
        self.sessionID = sessionID
        self.roles = roles
        self.expires = expires
        self.language = language
        self.verifiedMarkets = verifiedMarkets
        self.scopes = scopes
        self.askedTerms = askedTerms
        self.isReading = isReading
    }

    /// The market that an API key is bound to: it is a customer there and nothing else (X9). Nil for a person. Lists that a key
    /// may read show only what is of this market and the customer's; see ``KeyArea``.
    public var keyMarket: String? { scopes.map { _ in roles.count == 1 ? roles.first?.market ?? "" : "" } }

    /// A role in the market `*` is a role in every market. While it reads, a market's support has what its admins have.
    public func has(_ role: String, in market: String) -> Bool {
        roles.contains(MarketRole(market: market, role: role)) || roles.contains(MarketRole(market: "*", role: role))
            || role == "admin" && isReading && isSupport(in: market)
    }

    /// Whether the caller is of the market's support and no admin of it: it reads, but neither acts nor sees how people
    /// are reached. Nobody is the support of all markets.
    public func isSupport(in market: String) -> Bool {
        market != "*" && roles.contains(MarketRole(market: market, role: "support"))
            && !roles.contains(MarketRole(market: market, role: "admin"))
            && !roles.contains(MarketRole(market: "*", role: "admin"))
    }

    /// Whether the caller may do, or while it reads see, what a market's admins may. For what others than admins may do
    /// as well; else ``require(_:in:)`` is enough.
    ///
    /// - Throws: a 403 ``Problem`` for the market's support when it acts.
    public func isAdmin(in market: String) throws(Problem) -> Bool {
        if has("admin", in: market) { return true }
        if isSupport(in: market) { throw .supportReadsOnly }
        return false
    }

    /// Whether the caller may read as an admin or as the support of some market.
    public var readsSomeMarket: Bool { roles.contains { $0.role == "admin" || $0.role == "support" } }

    /// - Throws: a 403 ``Problem`` when the caller does not have the role in the market, or has not accepted its terms.
    public func require(_ role: String, in market: String) throws(Problem) {
        try require(anyOf: [role], in: market)
    }

    /// - Throws: a 403 ``Problem`` when the caller has none of the roles in the market, or has not accepted its terms.
    public func require(anyOf roles: Set<String>, in market: String) throws(Problem) {
        guard !roles.contains(where: { has($0, in: market) }) else { return }
        if roles.contains("admin"), isSupport(in: market) { throw .supportReadsOnly }
        // Whoever may be one of them by accepting is told so.
        let isAsked = askedTerms.contains(market) && roles != ["admin"]
        throw isAsked ? .termsNotAccepted(in: market) : .forbidden
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
