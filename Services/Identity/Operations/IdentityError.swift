/// What callers can do wrong, beside ``AccountError``.
enum IdentityError: Error, Equatable {
    case taken(email: Bool, mobile: Bool)
    case noSuchAccount
    /// The same words for a wrong password and for an account that there is not.
    case wrongCredentials
    case loginDelayed(seconds: Int)
    case sessionEnded
    /// Nobody verifies himself.
    case ownProvider
}
