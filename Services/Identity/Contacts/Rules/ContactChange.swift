/// An e-mail address or a mobile number that somebody wants to have instead of the one there is.
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

    /// As it is kept.
    var text: String {
        switch self {
        case .email(let email): email.text
        case .mobile(let mobile): mobile.text
        }
    }

    /// What it is unique by.
    var normalized: String {
        switch self {
        case .email(let email): email.normalized
        case .mobile(let mobile): mobile.text
        }
    }
}
