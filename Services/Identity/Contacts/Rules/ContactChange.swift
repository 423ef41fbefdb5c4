/// An e-mail address or a mobile number that is to replace the current one.
enum NewContact: Hashable, Sendable {
    case email(EmailAddress)
    case mobile(MobileNumber)

    enum Kind: String, Sendable { case email, mobile }

    var kind: Kind {
        switch self {
        case .email: .email
        case .mobile: .mobile
        }
    }

    /// The text that is stored.
    var text: String {
        switch self {
        case .email(let email): email.text
        case .mobile(let mobile): mobile.text
        }
    }

    /// The form by which the contact is looked up and kept unique.
    var normalized: String {
        switch self {
        case .email(let email): email.normalized
        case .mobile(let mobile): mobile.text
        }
    }
}
