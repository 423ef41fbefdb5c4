import ServiceKit

/// The keys of calls.
enum CallConfiguration {
    static let keys: [AnyConfigurationKey] = [ringSeconds.erased, turnURLs.erased, turnSecret.erased]

    static let ringSeconds = ConfigurationKey<Int>(
        "calls.ring.seconds", "How long a call rings before it is missed.", default: 45, in: 5...120)
    static let turnURLs = ConfigurationKey<String>(
        "calls.turn.urls",
        "Where browsers reach the relay for calls, one or several with spaces between, such as "
            + "turn:turn.example.org:3478?transport=udp. Without one, calls need a direct way between two browsers.",
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
