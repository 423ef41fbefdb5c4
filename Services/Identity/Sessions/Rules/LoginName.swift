/// The name typed in a login: an e-mail address or a mobile number.
enum LoginName: Hashable, Sendable {
    case email(EmailAddress)
    case mobile(MobileNumber)
    /// A text that is neither, answered as an unknown account.
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

    /// The form by which failures are counted.
    var normalized: String {
        switch self {
        case .email(let email): email.normalized
        case .mobile(let mobile): mobile.text
        case .neither(let text): text
        }
    }
}
