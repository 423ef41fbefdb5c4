public import Foundation
public import Messaging

/// Sessions of an account have ended: their access tokens must be refused from now on.
public struct SessionsEnded: Message {
    public static let name: MessageName = "identity.sessions.ended.v1"
    public static let needsReader = false

    public var account: UUID
    /// At most 500.
    public var sessions: [UUID]
    /// When the sessions' last access token has expired, so that nothing has to be refused any more.
    public var until: Date
    public var at: Date
    /// A separate aggregate, so that no other message of the account delays it.
    public var aggregate: String { (sessions.first ?? account).text }

    public init(account: UUID, sessions: [UUID], until: Date, at: Date) {
        self.account = account
        self.sessions = sessions
        self.until = until
        self.at = at
    }
}
