/// What somebody types to log in: an e-mail address or a mobile number.
enum LoginName: Hashable, Sendable {
    case email(EmailAddress)
    case mobile(MobileNumber)
    /// Nobody's. It is answered as any unknown account is.
    case neither(String)

    init(_ text: String) {
        if let email = EmailAddress(text) {
            self = .email(email)
        } else if let mobile = MobileNumber(known: text) {
            self = .mobile(mobile)
        } else {
            self = .neither(text)
        }
    }

    /// The form that failures are counted by when there is no such account.
    var normalized: String {
        switch self {
        case .email(let email): email.normalized
        case .mobile(let mobile): mobile.text
        case .neither(let text): text
        }
    }
}
