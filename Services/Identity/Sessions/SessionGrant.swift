/// What a login or a refresh gives.
struct SessionGrant: Sendable {
    /// Where the session of a token is ended, by its owner.
    static let path = "/identity/v1/sessions/current"

    let account: Account
    let accessToken: String
    let expiresInSeconds: Int
    let refreshToken: String
    /// The owner should be asked for another password.
    var passwordIsOld = false
    /// The number that the account had is somebody else's, or there never was one.
    var needsMobile = false
    /// An admin without the rights, because a password alone began the session.
    var needsSecondFactor = false
}
