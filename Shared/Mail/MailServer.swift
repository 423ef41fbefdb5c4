/// A server that takes mails for others.
public struct MailServer: Sendable {
    public let url: String
    public let user: String?
    let password: String?
    let authorityFile: String?

    /// - Parameters:
    ///   - url: `smtp://host:587`, where TLS begins with STARTTLS, or `smtps://host:465`. Nothing is ever sent in the clear.
    ///   - authorityFile: the only trusted authorities (PEM); nil for the system's.
    /// - Returns: nil for an URL of another form; user and password do not stand in it.
    public init?(url: String, user: String? = nil, password: String? = nil, authorityFile: String? = nil) {
        let rest = url.hasPrefix("smtp://") ? url.dropFirst(7) : url.hasPrefix("smtps://") ? url.dropFirst(8) : ""
        guard !rest.isEmpty, !rest.contains("@"), rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        (self.url, self.user, self.password, self.authorityFile) = (url, user, password, authorityFile)
    }
}

/// What became of a try.
public enum MailOutcome: Sendable, Equatable {
    case taken
    /// The server will never take this mail for this person.
    case refused(code: Int)
    /// Not now, or nobody knows: it is to be tried again.
    /// - Parameter cause: without addresses and words.
    case later(cause: String)
}
