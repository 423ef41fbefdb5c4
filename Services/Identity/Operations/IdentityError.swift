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
    case banned(Ban)
    /// What has to be confirmed first: `email`, `sms`.
    case notConfirmed(by: String)
    /// A link or a code that is wrong, used up or too old.
    case proofRefused
    /// Where somebody who is logged in gives his password again.
    case wrongPassword
    /// Nobody bans himself or takes his own rights away.
    case ownAccount
    /// Only a master admin bans an admin, or takes that back.
    case adminsBan
    /// Only a master admin changes or lifts what one has set.
    case mastersBan
    /// Somebody has published the password that was chosen. - Parameter field: of the form.
    case breachedPassword(field: String)
    /// Nafath does not answer, or does not know this platform.
    case nafathUnavailable
    /// What came back from Nafath is not what this app asked for, or was used already.
    case nafathRefused
    /// What Nafath did not say: `nationalID`, `name`, `mobile`.
    case nafathIncomplete([String])
    /// It is another account's, or the account has another one.
    case nationalIDTaken
    /// He was an admin when his token was issued.
    case rightsLost
}
