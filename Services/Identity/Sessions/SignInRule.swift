import Contracts

/// The markets of this deployment whose people have passwords (I2). A market that signs people in with Nafath accepts
/// none, unless the operator opens it: for development, and until all of its people have Nafath. Without an issuer and
/// without the operator's word nobody registers in such a market.
struct SignInRule: Sendable {
    /// Whether an issuer is configured.
    let hasNafath: Bool
    /// Markets that the operator opens to passwords; `*` for all.
    let opened: [String]

    func takesPassword(in market: String) -> Bool {
        guard let known = Market.named(market) else { return true }
        return known.signIn.contains(.password) || opened.contains(market) || opened.contains("*")
    }

    func takesNafath(in market: String) -> Bool {
        hasNafath && Market.named(market)?.signIn.contains(.nafath) == true
    }

    /// Whether people can register in the market in some way.
    func isOpen(_ market: String) -> Bool { takesPassword(in: market) || takesNafath(in: market) }

    /// The refusal of a password in a market that takes none.
    var refusal: IdentityError { hasNafath ? .nafathNeeded : .marketClosed }

    /// Whether a password can log in to the account. Admins always log in by password, because Nafath makes no account
    /// an admin's. Without an issuer those who have a password keep the way in: only registration is closed.
    func takesPassword(of account: Account) -> Bool {
        !hasNafath || account.isStaff || account.roles.isEmpty
            || account.roles.contains { takesPassword(in: $0.market) }
    }
}
