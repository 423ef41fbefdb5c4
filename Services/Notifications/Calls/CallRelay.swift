import Foundation
import ServiceKit

/// The relay by which browsers reach each other that find no direct way (TURN, RFC 8656), such as coturn.
struct CallRelay: Sendable {
    /// Longer than most calls: coturn asks for the credentials again while a relay is used.
    static let lifetimeSeconds: Double = 4 * 3_600

    let urls: [String]
    let secret: Redacted<String>?

    /// Without a relay the list is empty, and calls come about only where a direct way is found.
    func view(for account: UUID, in call: UUID, at now: Date) -> RelayView {
        let expiresAt = now.addingTimeInterval(Self.lifetimeSeconds)
        guard let secret, !urls.isEmpty else { return RelayView(servers: [], expiresAt: expiresAt) }
        let credential = TurnCredential(
            account: account, call: call, expiresAt: expiresAt, secret: Array(secret.revealed.utf8))
        return RelayView(
            servers: [.init(urls: urls, username: credential.username, credential: credential.password)],
            expiresAt: expiresAt)
    }
}
