/// The result of a login or a refresh.
struct SessionGrant: Sendable {
    /// The path by which an owner ends the token's session.
    static let path = "/identity/v1/sessions/current"

    let account: Account
    let accessToken: String
    let expiresInSeconds: Int
    let refreshToken: String
    /// The app should ask the owner for another password.
    var passwordIsOld = false
    /// The account has no number: it never had one, or another account has taken it.
    var needsMobile = false
    /// An admin without admin rights, because a password alone began the session.
    var needsSecondFactor = false
    /// The terms that have another version than the one that the owner accepted.
    var termsAsked: [AskedTerms] = []
    /// Data that the markets ask of everybody and the account lacks; only in the answer to a login.
    var dataAsked: [AskedData] = []
}
