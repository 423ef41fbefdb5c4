import Contracts

/// In which markets of this deployment people have passwords (I2). A market whose people sign in with Nafath takes none, unless
/// no issuer is configured, or the operator opens it: for development, and for the time until all of its people have Nafath.
struct SignInRule: Sendable {
    /// Whether an issuer is configured.
    let hasProvider: Bool
    /// Markets that the operator opens to passwords; `*` is all.
    let opened: [String]

    func takesPassword(in market: String) -> Bool {
        guard let known = Market.named(market) else { return true }
        return known.signIn.contains(.password) || !hasProvider || opened.contains(market) || opened.contains("*")
    }

    /// Whether a password logs in to the account. Admins come by password everywhere: nobody is made one by Nafath.
    func takesPassword(of account: Account) -> Bool {
        account.isAdmin || account.roles.isEmpty || account.roles.contains { takesPassword(in: $0.market) }
    }
}
