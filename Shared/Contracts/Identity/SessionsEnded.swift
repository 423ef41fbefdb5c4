public import Foundation
public import Messaging

/// Sessions of an account have ended: access tokens of theirs are to be refused from now on.
public struct SessionsEnded: Message {
    public static let name: MessageName = "identity.sessions.ended.v1"
    public static let needsReader = false

    public var account: UUID
    /// At most 500.
    public var sessions: [UUID]
    /// When the last access token of them has expired, so that there is nothing to refuse any more.
    public var until: Date
    public var at: Date
    /// No other message of the account holds it back.
    public var aggregate: String { (sessions.first ?? account).text }

    public init(account: UUID, sessions: [UUID], until: Date, at: Date) {
        self.account = account
        self.sessions = sessions
        self.until = until
        self.at = at
    }
}
