import Foundation

/// Errors of callers, in addition to ``AccountError``.
enum IdentityError: Error, Equatable {
    case taken(email: Bool, mobile: Bool)
    case noSuchAccount
    /// The account has no such session, running or ended.
    case noSuchSession
    /// The same words for a wrong password and for an account that there is not.
    case wrongCredentials
    case loginDelayed(seconds: Int)
    case sessionEnded
    /// Nobody verifies himself.
    case ownProvider
    case banned(Ban)
    /// The contact that has to be confirmed first: `email`, `sms`.
    case notConfirmed(by: String)
    /// The market confirms people by a contact that the account has not proved yet.
    case contactUnproved(NewContact.Kind)
    /// Its owner has proved lately that the contact is right.
    case contactProved(NewContact.Kind)
    /// No more SMS are sent today: to the number, or to its country or at all.
    case smsUsedUp(isOfNumber: Bool)
    /// The market's people sign in with Nafath and have no passwords.
    case nafathNeeded
    /// The market's people sign in with Nafath, of which this deployment has no issuer.
    case marketClosed
    /// There is no other way into the account.
    case onlyWayIn
    /// The account has one, or has none.
    case secondFactor(isThere: Bool)
    /// A link or a code that is wrong, used up or too old.
    case proofRefused
    /// Where somebody who is logged in gives his password again.
    case wrongPassword
    /// The password that shows the owner is another one.
    case notThePassword
    /// Without a password the login has to be of the last minutes.
    case loginTooOld
    /// The obstacles, by the codes of `DeletionObstacle`, the open orders and the debts.
    case deletionRefused([String], orders: [UUID], owed: [Deletion.Owed] = [])
    /// Only a master admin changes or removes an admin.
    case adminsAccount
    /// The account is somebody's in other markets too.
    case otherMarkets
    /// An admin gives no role to who is banned in the market.
    case personBanned
    /// The account's removal is asked for already.
    case removalAsked
    /// Nobody bans himself or takes his own rights away.
    case ownAccount
    /// Only a master admin bans an admin, or takes that back.
    case adminsBan
    /// Only a master admin changes or lifts what one has set.
    case mastersBan
    /// Somebody has published the password that was chosen. - Parameter field: of the form.
    case breachedPassword(field: String)
    /// The password that was chosen is the one that there is. - Parameter field: of the form.
    case samePassword(field: String)
    /// Nafath does not answer, or does not know this platform.
    case nafathUnavailable
    /// Nafath's answer does not belong to this app's request, or was used already.
    case nafathRefused
    /// The claims that Nafath's answer lacks: `nationalID`, `name`, `mobile`.
    case nafathIncomplete([String])
    /// It is another account's, or the account has another one.
    case nationalIDTaken
    /// He was an admin when his token was issued.
    case rightsLost
    /// Another link or code was sent a moment ago, or too many were within a day.
    case sentJustNow
    case tooManyPlaces(maximum: Int)
    case tooManyKeys(maximum: Int)
    /// An API key that is unknown, revoked or expired, or whose account is no customer of its market any more.
    case wrongKey
    case noSuchPlace
    /// It has another version than the one that was looked at.
    case placeChanged(version: Int)
    case noSuchDocument
    case documentDecided(Role.State)
    /// Papers that the market asks for and nobody has verified.
    case papersMissing([String])
    /// The market's terms in their current version have to be accepted.
    case termsNeeded(version: String)
}
