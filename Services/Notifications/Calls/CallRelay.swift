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

/// The keys of calls.
enum CallConfiguration {
    static let keys: [AnyConfigurationKey] = [ringSeconds.erased, turnURLs.erased, turnSecret.erased]

    static let ringSeconds = ConfigurationKey<Int>(
        "calls.ring.seconds", "How long a call rings before it is missed.", default: 45, in: 5...120)
    static let turnURLs = ConfigurationKey<String>(
        "calls.turn.urls",
        "Where browsers reach the relay for calls, one or several: turn:turn.example.org:3478?transport=udp "
            + "turns:turn.example.org:5349?transport=tcp. Without one, calls need a direct way between the two browsers.",
        default: "", range: "turn:… or turns:…, with spaces between",
        isAllowed: { Self.urls(in: $0).allSatisfy { $0.hasPrefix("turn:") || $0.hasPrefix("turns:") } })
    static let turnSecret = ConfigurationKey<Redacted<String>?>(
        "calls.turn.secret", "The static-auth-secret of the relay, by which it knows whom this service has sent.",
        range: "16 characters or more", isAllowed: { $0.map { $0.revealed.utf8.count >= 16 } ?? true })

    static func relay(_ configuration: ServiceConfiguration) throws -> CallRelay {
        CallRelay(urls: urls(in: try configuration[turnURLs]), secret: try configuration[turnSecret])
    }

    private static func urls(in text: String) -> [String] {
        text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }
}
