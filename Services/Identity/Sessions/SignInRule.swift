import Contracts

/// The markets of this deployment whose people have passwords (I2). A market that uses Nafath accepts none, unless no
/// issuer is configured or the operator opens the market: for development, and until all of its people have Nafath.
struct SignInRule: Sendable {
    /// Whether an issuer is configured.
    let hasProvider: Bool
    /// Markets that the operator opens to passwords; `*` for all.
    let opened: [String]

    func takesPassword(in market: String) -> Bool {
        guard let known = Market.named(market) else { return true }
        return known.signIn.contains(.password) || !hasProvider || opened.contains(market) || opened.contains("*")
    }

    /// Whether a password can log in to the account. Admins always log in by password, because Nafath makes no account
    /// an admin's.
    func takesPassword(of account: Account) -> Bool {
        account.isAdmin || account.roles.isEmpty || account.roles.contains { takesPassword(in: $0.market) }
    }
}
