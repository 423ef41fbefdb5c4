public import Postgres

/// How a service checks access tokens.
public struct TokenChecks: Sendable {
    public let verifier: TokenVerifier
    /// The service keeps here what identity tells of ended sessions.
    public let ended: EndedSessions
    /// The components that token checks need.
    public let components: [ServiceComponent]
}

extension ServiceBootstrap {
    /// The verifier of ``tokenVerifier(isEnded:)`` that follows changes of its key file, and refuses sessions that have
    /// ended. The schema needs ``EndedSessions/migrations``.
    public func tokenChecks(_ pool: PostgresPool) async throws -> TokenChecks {
        let ended = EndedSessions(pool: pool, logger: logger)
        let verifier = try await tokenVerifier { ended.contains($0) }
        var components = [
            ServiceComponent("ended sessions", stage: .relay, ended) { await ended.firstRead() }
        ]
        if let file = try tokenKeysFile() {
            let reload = TokenKeysReload(file: file, verifier: verifier, logger: logger)
            components.append(ServiceComponent("token keys", stage: .relay, reload))
        }
        return TokenChecks(verifier: verifier, ended: ended, components: components)
    }
}
