/// What a login or a refresh gives.
struct SessionGrant: Sendable {
    let account: Account
    let accessToken: String
    let expiresInSeconds: Int
    let refreshToken: String
}
